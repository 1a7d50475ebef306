package exam_test

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/exam"
	"scorebook/strict"
)

// Many instances are scored by several processors as by one, and their mean is
// that of the scores.
func TestManyInstances(t *testing.T) {
	const n = 3000
	var reference, list strings.Builder
	for i := range n {
		fmt.Fprintf(&reference, `%s"i%05d": [%d, %d.5, %d.25]`, strings.Repeat(", ", min(i, 1)), i, i%17, i%5+1, i%3)
		status := "ok"
		if i%7 == 3 {
			status = "timeout"
		}
		fmt.Fprintf(&list, `%s{"instance": "i%05d", "status": %q, "A": %d.125}`, strings.Repeat(", ", min(i, 1)), i, status, i%11)
	}
	var diags diag.List
	ref := exam.ParseReference(strict.NewSource("r.json", strings.NewReader(`{"reference_id": "r", "scale_floors": {"relative": 0.02, "absolute": 1e-9}, "tasks": {"t": {"kind": "objective", "direction": "maximize", "instances": {`+reference.String()+`}}}}`), 0), &diags)
	records := exam.ParseRecords(strict.NewSource("a.json", strings.NewReader("["+list.String()+"]"), 0), &diags)
	if !diags.OK() {
		t.Fatal(diags.Text())
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	alone := exam.ScoreSolver(ref, ref.Task("t"), records, &diags)
	runtime.GOMAXPROCS(4)
	together := exam.ScoreSolver(ref, ref.Task("t"), records, &diags)
	if alone == nil || !reflect.DeepEqual(alone, together) {
		t.Fatalf("found %+v and %+v\n%s", alone, together, diags.Text())
	}
	sum := 0.0
	for _, i := range alone.Instances {
		sum += i.Score
	}
	if mean := sum / n; mean-alone.RelativeScore > 1e-12 || alone.RelativeScore-mean > 1e-12 || alone.FailedInstances != n/7 && alone.FailedInstances != n/7+1 {
		t.Errorf("found %v and %d failures, the mean of the scores is %v", alone.RelativeScore, alone.FailedInstances, mean)
	}
}
