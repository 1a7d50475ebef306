package report

import (
	"fmt"
	"strings"

	"scorebook/diag"
	"scorebook/exam"
)

// Explanation renders the arithmetic of one instance, step by step.
func Explanation(e *exam.Explanation) string {
	r, in := e.Result, e.Score
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }

	line("%s", header.Render(diag.Printable(in.Instance))+diag.Printable(fmt.Sprintf("  in task %s (%s, %s), reference %s", r.Task, r.Kind, r.Direction, r.ReferenceID)))
	line("")
	line("fixed outcomes      %s", values(e.Values))
	line("mu                  %s  (their mean)", number(in.Mu))
	line("s                   %s  (sample standard deviation, n-1)", number(in.S))
	line("relative floor      %s  (%s * |mu|)", number(e.RelativeFloor), e.Floors.Relative)
	line("absolute floor      %s", number(e.AbsoluteFloor))
	line("scale               %s  (the largest of the three: %s)", strong.Render(number(in.Scale)), source(in.ScaleFrom))
	line("")
	if in.Status != exam.StatusOK {
		line("outcome             status %s: the solver failed%s", in.Status, carried(e.Given))
		line("score               %s  (a failure scores 0)", strong.Render("0"))
	} else {
		difference := "A - mu"
		if r.Direction == exam.Minimize {
			difference = "mu - A"
		}
		line("outcome             %s", e.Given)
		line("z                   %s  ((%s) / scale%s)", maybeNumber(in.Z), difference, side(in))
		line("score               %s  (Phi(z), the standard normal distribution function)", strong.Render(number(in.Score)))
	}
	line("in the task mean    %s  (score / %d eligible instances)", number(e.Contribution), r.EligibleInstances)
	line("task mean           %s", strong.Render(number(r.RelativeScore)))
	line("")
	if r.Kind == exam.Solve {
		line("ceiling             %s here, %s for the task: what solving everything scores", number(e.Ceiling.Limit), number(e.TaskCeiling.Limit))
	} else {
		line("ceiling             %s: objective values have no bound that is known here", number(e.TaskCeiling.Limit))
		line("best fixed outcome  %s here, %s for the task: what equalling the best of the reference everywhere scores", number(e.Ceiling.BestKnown), number(e.TaskCeiling.BestKnown))
	}
	return b.String()
}

func values[T ~string](vs []T) string {
	const few = 12
	var parts []string
	for _, v := range vs[:min(few, len(vs))] {
		parts = append(parts, string(v))
	}
	s := fmt.Sprintf("%d: %s", len(vs), strings.Join(parts, ", "))
	if len(vs) > few {
		s += ", ..."
	}
	return s
}

func source(from exam.ScaleSource) string {
	return map[exam.ScaleSource]string{
		exam.FromSD: "s", exam.FromRelative: "the relative floor", exam.FromAbsolute: "the absolute floor",
	}[from]
}

func carried(given string) string {
	if given == "" {
		return ""
	}
	return ", so its " + given + " does not count"
}

func maybeNumber(f *float64) string {
	if f == nil {
		return "outside float64"
	}
	return number(*f)
}

// side says on which side of the reference's mean the outcome lies.
func side(in exam.InstanceScore) string {
	switch {
	case in.Z == nil || *in.Z == 0:
		return ""
	case *in.Z > 0:
		return ", better than the mean"
	default:
		return ", worse than the mean"
	}
}
