package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// How much garbage there may be before it is collected: with little alive the
// collector would run all the time, and with much alive as much again is a lot of
// memory.
const (
	plentyGarbage = 128 << 20 // bytes, however little is alive
	leastPercent  = 50        // of what is alive, however much it is
	mostPercent   = 1000
)

// collectWisely sets how much garbage there may be, now and then, by what is alive,
// unless the operator has said so.
func collectWisely(ctx context.Context) error {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for percent := 0; ; {
		metrics.Read(live)
		alive := max(1, live[0].Value.Uint64())
		wanted := int(min(mostPercent, max(leastPercent, 100*plentyGarbage/alive)))
		if wanted*10 < percent*9 || wanted*10 > percent*11 {
			percent = wanted
			debug.SetGCPercent(percent)
		}
		if err := wait(ctx, time.Second); err != nil {
			return nil //nolint:nilerr // the server ends
		}
	}
}
