package report

import (
	"hash/fnv"
	"math"
	"strconv"

	"scorebook/exam"
)

// Measures of the strip plot. Across, percentages of its width, so that it fits
// any page and its type keeps its size; down, pixels.
const (
	zMost      = 4.0  // the axis goes from -zMost to zMost
	axisLeft   = 14.0 // where it begins; failures stand left of it
	axisRight  = 96.0
	stripTop   = 9.0
	stripDown  = 141.0
	maxDots    = 2000 // instances that are drawn one by one
	binsOfHalf = 40   // bars of a histogram on either side of 0
	failRows   = 11   // failures below each other
	maxFails   = 44   // of them that are drawn beside a histogram
	failLeft   = 1.3
	failRight  = 9.5
	failStep   = 2.1 // between columns of failures, if there is room
)

// stripView is the strip plot of z of one solver result.
type stripView struct {
	Label  string
	Ticks  []tickView
	Dots   []dotView
	Bins   []binView
	Fails  []dotView
	Low    []dotView // beyond the left end of the axis
	High   []dotView // beyond the right end
	Failed string    // how many failed; empty if none
	Notes  []string

	worse, same, better int // instances on each side of the mean
}

// sides counts what lies on either side of the mean of the reference.
func (v *stripView) sides(w words) string {
	return w.say("%s better than the reference mean, %s equal, %s worse", thousands(v.better), thousands(v.same), thousands(v.worse))
}

type tickView struct {
	X, Text string
	Zero    bool
}

type dotView struct{ X, Y, Class, Title string }

type binView struct{ X, Y, Width, Height, Class, Title string }

// place is where a z lies to the axis.
type place int

const (
	within place = iota
	below
	above
	failed
)

// placeOf says where an instance stands. An outcome whose z is outside float64
// stands on the side that its score tells.
func placeOf(in *exam.InstanceScore) place {
	switch {
	case in.Status != exam.StatusOK:
		return failed
	case in.Z == nil && in.Score < 0.5:
		return below
	case in.Z == nil:
		return above
	case *in.Z < -zMost:
		return below
	case *in.Z > zMost:
		return above
	}
	return within
}

// across returns where a z of the axis lies.
func across(z float64) float64 {
	return axisLeft + (z+zMost)/(2*zMost)*(axisRight-axisLeft)
}

func newStrip(w words, r *exam.SolverResult) stripView {
	var v stripView
	for _, z := range []float64{-4, -2, 0, 2, 4} {
		tick := tickView{X: percent(across(z)), Text: signed(strconv.Itoa(int(z))), Zero: z == 0}
		if z > 0 {
			tick.Text = "+" + tick.Text
		}
		v.Ticks = append(v.Ticks, tick)
	}
	var count [4]int
	for i := range r.Instances {
		in := &r.Instances[i]
		p := placeOf(in)
		count[p]++
		switch sideOf(in, p) {
		case "worse":
			v.worse++
		case "same":
			v.same++
		case "better":
			v.better++
		}
	}
	v.Label = w.say("Strip plot of z: %s, %s failed", v.sides(w), thousands(count[failed]))
	if count[failed] > 0 {
		v.Failed = thousands(count[failed])
	}
	if len(r.Instances) > maxDots {
		v.histogram(w, r, count)
	} else {
		v.dots(w, r, count[failed])
	}
	if count[below] > 0 {
		v.Notes = append(v.Notes, w.say("◂ %s beyond −%g", thousands(count[below]), zMost))
	}
	if count[above] > 0 {
		v.Notes = append(v.Notes, w.say("%s beyond +%g ▸", thousands(count[above]), zMost))
	}
	return v
}

// sideOf says on which side of the mean an outcome lies; a failure lies on none.
func sideOf(in *exam.InstanceScore, p place) string {
	switch {
	case p == failed:
		return ""
	case p == above, p == within && *in.Z > 0:
		return "better"
	case p == below, p == within && *in.Z < 0:
		return "worse"
	}
	return "same"
}

// dots draws every instance by itself.
func (v *stripView) dots(w words, r *exam.SolverResult, fails int) {
	nth := 0
	for i := range r.Instances {
		in := &r.Instances[i]
		p := placeOf(in)
		dot := dotView{Class: sideOf(in, p), Title: dotTitle(w, in), Y: pixels(stripTop + (stripDown-stripTop)*jitter(in.Instance))}
		switch p {
		case failed:
			dot.X, dot.Y = failPlace(nth, fails)
			v.Fails = append(v.Fails, dot)
			nth++
		case below:
			dot.X = percent(across(-zMost))
			v.Low = append(v.Low, dot)
		case above:
			dot.X = percent(across(zMost))
			v.High = append(v.High, dot)
		default:
			dot.X = percent(across(*in.Z))
			v.Dots = append(v.Dots, dot)
		}
	}
}

// failPlace returns where the nth of some failures stands: in columns, left of
// the axis.
func failPlace(nth, fails int) (x, y string) {
	step := failStep
	if columns := (fails + failRows - 1) / failRows; columns > 1 {
		step = min(step, (failRight-failLeft)/float64(columns-1))
	}
	return percent(failLeft + step*float64(nth/failRows)), pixels(stripTop + (stripDown-stripTop)*(float64(nth%failRows)+0.5)/failRows)
}

// histogram draws how many instances lie in each part of the axis, so that a
// page of any number of instances stays small.
func (v *stripView) histogram(w words, r *exam.SolverResult, count [4]int) {
	var bins [2 * binsOfHalf]int
	most := 0
	for i := range r.Instances {
		if in := &r.Instances[i]; placeOf(in) == within {
			b := min(len(bins)-1, int(math.Floor((*in.Z+zMost)/zMost*binsOfHalf)))
			bins[b]++
			most = max(most, bins[b])
		}
	}
	height := func(n int) float64 { return (stripDown - stripTop) * math.Sqrt(float64(n)/float64(most)) }
	width := (axisRight - axisLeft) / float64(len(bins))
	for b, n := range bins {
		if n == 0 {
			continue
		}
		from := (float64(b)/binsOfHalf - 1) * zMost
		class := "better"
		if b < binsOfHalf {
			class = "worse"
		}
		v.Bins = append(v.Bins, binView{
			X: percent(across(from)), Width: percent(width * 0.86), Y: pixels(stripDown - height(n)), Height: pixels(height(n)), Class: class,
			Title: w.say("z from %s to %s: %s", fixed(from, 1), fixed(from+zMost/binsOfHalf, 1), w.count(n, "1 instance", "%s instances")),
		})
	}
	drawn := min(maxFails, count[failed])
	for nth := range drawn {
		x, y := failPlace(nth, drawn)
		v.Fails = append(v.Fails, dotView{X: x, Y: y, Title: failures(w, count[failed])})
	}
	middle := pixels((stripTop + stripDown) / 2)
	if n := count[below]; n > 0 {
		v.Low = append(v.Low, dotView{X: percent(across(-zMost)), Y: middle, Title: w.say("%s beyond the axis", w.count(n, "1 instance", "%s instances"))})
	}
	if n := count[above]; n > 0 {
		v.High = append(v.High, dotView{X: percent(across(zMost)), Y: middle, Title: w.say("%s beyond the axis", w.count(n, "1 instance", "%s instances"))})
	}
	v.Notes = append(v.Notes, w.say("%s instances, too many to draw one by one: the height of a bar grows with the square root of their number", thousands(len(r.Instances))))
	if drawn < count[failed] {
		v.Notes = append(v.Notes, w.say("%d × stand for all that failed", drawn))
	}
}

// dotTitle says what an instance came to.
func dotTitle(w words, in *exam.InstanceScore) string {
	if in.Status != exam.StatusOK {
		return w.say("%s: %s, score 0", name(in.Instance), name(in.Status))
	}
	z := w.say("outside float64")
	if in.Z != nil {
		z = fixed(*in.Z, 3)
	}
	return w.say("%s: z %s, score %s", name(in.Instance), z, fixed(in.Score, 4))
}

// jitter returns a number from 0 to 1 that depends on the name alone, so that
// dots of equal z lie apart and always in the same place.
func jitter(name string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	x := h.Sum64()
	x ^= x >> 33 // names that differ in their last letter differ in the first bits
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

func pixels(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }
