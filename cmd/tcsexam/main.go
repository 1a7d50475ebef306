// Command tcsexam scores benchmarks: solver records become scores relative to a
// fixed reference, and attempt tables become an Index with its coverage.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"scorebook/internal/cli"
)

// memoryLimit is where garbage is collected sooner rather than more memory taken, in
// bytes. What is alive may take more.
const memoryLimit = 768 << 20

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { // what waits for input or computes cannot look at ctx
		time.Sleep(time.Second)
		fmt.Fprintln(os.Stderr, "tcsexam: interrupted; nothing was written")
		os.Exit(cli.ExitWorld)
	})
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
