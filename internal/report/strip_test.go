package report_test

import (
	"fmt"
	"html"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"scorebook/exam"
	"scorebook/internal/report"
)

// axis returns where the ends of the axis and its zero lie.
func axis(t testing.TB, all []element) (left, zero, right float64) {
	t.Helper()
	ticks := withClass(all, "text", "tick")
	for _, tick := range ticks {
		switch tick.content {
		case "−4":
			left = percentage(t, tick.attrs["x"])
		case "+4":
			right = percentage(t, tick.attrs["x"])
		case "reference mean":
			zero = percentage(t, tick.attrs["x"])
		}
	}
	if left == 0 || zero <= left || right <= zero {
		t.Fatalf("the axis goes from %v by %v to %v", left, zero, right)
	}
	return left, zero, right
}

func titled(all []element, text string) (e element, found bool) {
	for i := range all {
		if all[i].name == "title" && strings.HasPrefix(all[i].content, text) {
			return all[i-1], true
		}
	}
	return e, false
}

func TestDotsStandWhereTheirZIs(t *testing.T) {
	outside := func(name string, score float64) exam.InstanceScore {
		return exam.InstanceScore{Instance: name, Status: exam.StatusOK, Score: score, ScaleFrom: exam.FromSD}
	}
	b := oneSolver(ok("at 0", 0), ok("at 2", 2), ok("at -4", -4), ok("at 4", 4), ok("low", -4.001), ok("high", 1e308), outside("lowest", 0), outside("highest", 1),
		exam.InstanceScore{Instance: "lost", Status: "timeout", ScaleFrom: exam.FromSD})
	page := body(t, b)
	all := elements(t, page)
	left, zero, right := axis(t, all)
	for _, test := range []struct {
		name, class string
		x           float64
	}{
		{"at 0:", "same", zero},
		{"at 2:", "better", (zero + right) / 2},
		{"at -4:", "worse", left},
		{"at 4:", "better", right},
		{"low: z −4.001", "sign worse", left},
		{"lowest: z outside float64", "sign worse", left},
		{"high: z 1e+308", "sign better", right},
		{"highest:", "sign better", right},
	} {
		e, found := titled(all, test.name)
		if !found {
			t.Errorf("%s is not drawn", test.name)
			continue
		}
		x := e.attrs["x"] + e.attrs["cx"]
		if got := percentage(t, x); math.Abs(got-test.x) > 0.02 || e.attrs["class"] != test.class {
			t.Errorf("%s: found a %q at %v, want a %q at %v", test.name, e.attrs["class"], got, test.class, test.x)
		}
	}
	lost, found := titled(all, "lost: timeout, score 0")
	if !found || lost.attrs["class"] != "sign fail" || percentage(t, lost.attrs["x"]) > left-3 {
		t.Errorf("the failure is %+v, and the axis begins at %v", lost, left)
	}
	for _, text := range []string{"◂ 2 beyond −4", "2 beyond +4 ▸", "1 failed and scores 0", "4 better than the reference mean, 1 equal, 3 worse"} {
		if !strings.Contains(html.UnescapeString(page), text) {
			t.Errorf("%q is missing", text)
		}
	}
}

// Nothing leaves the picture, whatever the figures are.
func TestDotsStayInThePicture(t *testing.T) {
	z := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-5, 5))
	rapid.Check(t, func(rt *rapid.T) {
		var instances []exam.InstanceScore
		for i := range rapid.IntRange(1, 60).Draw(rt, "n") {
			in := ok(fmt.Sprint(i), z.Draw(rt, "z"))
			if rapid.Bool().Draw(rt, "failed") {
				in.Status, in.Z, in.Score = "timeout", nil, 0
			}
			instances = append(instances, in)
		}
		all := elements(rt, body(rt, oneSolver(instances...)))
		left, _, right := axis(t, all)
		drawn := 0
		for _, e := range all {
			switch {
			case e.name == "circle":
				if x := percentage(t, e.attrs["cx"]); x < left || x > right {
					rt.Fatalf("a dot lies at %v", x)
				}
				drawn++
			case strings.HasPrefix(e.attrs["class"], "sign"):
				if x := percentage(t, e.attrs["x"]); x < 1 || x > right {
					rt.Fatalf("a sign lies at %v", x)
				}
				drawn++
			}
		}
		if drawn != len(instances) {
			rt.Fatalf("%d of %d instances are drawn", drawn, len(instances))
		}
	})
}

// A dot does not move when other instances come or go.
func TestTheHeightOfADotDependsOnItsNameAlone(t *testing.T) {
	height := func(b report.Benchmark) string {
		e, _ := titled(elements(t, body(t, b)), "it:")
		return e.attrs["cy"]
	}
	if a, b := height(oneSolver(ok("it", 1))), height(oneSolver(ok("a", 0), ok("it", 2), ok("z", 3))); a != b || a == "" {
		t.Errorf("it lies at %q and at %q", a, b)
	}
}

// A page of many instances stays small, and says what it leaves out.
func TestManyInstancesBecomeAHistogram(t *testing.T) {
	var instances []exam.InstanceScore
	for i := range 30_000 {
		in := ok(fmt.Sprintf("instance-%05d", i), float64(i%1000)/100-5)
		if i%10 == 0 {
			in.Status, in.Z, in.Score = "timeout", nil, 0
		}
		instances = append(instances, in)
	}
	page := body(t, oneSolver(instances...))
	if len(page) > 300_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	all := elements(t, page)
	if dots, bins := len(withClass(all, "circle", "same")), len(withClass(all, "rect", "bin")); dots > 0 || bins != 80 {
		t.Errorf("found %d dots and %d bars", dots, bins)
	}
	if rows := strings.Count(page, "<tr><th scope=\"row\">"); rows != 500 {
		t.Errorf("the table has %d rows", rows)
	}
	for _, text := range []string{"too many to draw one by one", "The first 500 of 30,000 instances", "3,000 failed and score 0", "2,700 beyond −4", "44 × stand for all that failed"} {
		if !strings.Contains(page, text) {
			t.Errorf("%q is missing", text)
		}
	}
}

func TestTheFloorsAreCounted(t *testing.T) {
	instances := []exam.InstanceScore{ok("a", 0), ok("b", 0), ok("c", 0), ok("d", 0)}
	instances[1].ScaleFrom, instances[2].ScaleFrom, instances[3].ScaleFrom = exam.FromRelative, exam.FromRelative, exam.FromAbsolute
	all := elements(t, body(t, oneSolver(instances...)))
	for class, want := range map[string]string{"relative": "50%", "sd": "25%", "absolute": "25%"} {
		if parts := withClass(all, "rect", class); len(parts) == 0 || parts[0].attrs["width"] != want {
			t.Errorf("%s: found %v, want the width %s", class, parts, want)
		}
	}
}
