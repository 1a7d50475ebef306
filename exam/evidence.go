package exam

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"scorebook/diag"
	"scorebook/strict"
)

// Evidence is what a solver-score output claims.
type Evidence struct {
	File            string
	Task            string
	ReferenceID     string
	ReferenceSHA256 string // digest of the reference's facts; empty if not given
	RelativeScore   strict.Number
	at              strict.Place
	used            bool // it backs a row
}

// ParseEvidence reads from a solver-score output what an attempt's score is
// held against. It reports every fault.
func ParseEvidence(src *strict.Source, diags *diag.List) *Evidence {
	e := &Evidence{File: src.File()}
	provenance := strict.NewShape("provenance",
		strict.Field{Name: "reference_sha256", Optional: true, Read: func(j *strict.JSON) { e.ReferenceSHA256, _, _ = j.String("reference_sha256") }},
	)
	provenance.Others = true
	shape := strict.NewShape("solver-score output",
		strict.Field{Name: "task", Read: func(j *strict.JSON) { e.Task = readName(j, "task", CodeOutputInvalid) }},
		strict.Field{Name: "reference_id", Read: func(j *strict.JSON) { e.ReferenceID = readName(j, "reference_id", CodeOutputInvalid) }},
		strict.Field{Name: "relative_score", Read: func(j *strict.JSON) {
			e.RelativeScore, e.at, _ = j.Number(CodeOutputInvalid, "relative_score")
		}},
		strict.Field{Name: "provenance", Optional: true, Read: func(j *strict.JSON) { j.Object(provenance) }},
	)
	shape.Others = true
	j := strict.NewJSON(src, diags, CodeOutputInvalid)
	j.Object(shape)
	j.End()
	return e
}

// CheckEvidence reports adopted solver rows that no solver-score output backs:
// one with the same task, the cohort's reference and the same score, that backs
// no other row. Outputs that no row uses are fine. An output does not name its
// model, so it is not known whose it is.
//
// The digest is that of the reference, or empty if the reference is not at hand;
// then the outputs must agree on one. The digest that holds is returned.
func (t *Attempts) CheckEvidence(cohort *Cohort, evidence []*Evidence, digest string, diags *diag.List) string {
	byTask := map[string][]*Evidence{}
	var first *Evidence
	for _, e := range evidence {
		byTask[e.Task] = append(byTask[e.Task], e)
		if digest != "" || e.ReferenceID != cohort.ReferenceID || e.ReferenceSHA256 == "" {
			continue
		}
		if first == nil {
			first = e
		} else if e.ReferenceSHA256 != first.ReferenceSHA256 {
			diags.Add(diag.At(e.at.In(e.File), CodeEvidenceMismatch, "found other facts of the reference %q than another output was computed with: reference_sha256 differs", e.ReferenceID).
				WithRelated(first.at.In(first.File), "the other output"))
		}
	}
	if first != nil {
		digest = first.ReferenceSHA256
	}
	for i := range t.Rows {
		a := &t.Rows[i]
		n, ok := a.Score()
		if !a.Adopted() || a.Track() != Solver || !ok {
			continue
		}
		if d, ok := unbacked(n, byTask[a.Item()], cohort.ReferenceID, digest); ok {
			d.Pos = t.position(a, columnScore)
			d.Message = fmt.Sprintf("score %s of %q at %s: %s", n, a.Model(), a.Item(), d.Message)
			diags.Add(d)
		}
	}
	return digest
}

// unbacked finds the output that backs a score and marks it as used, or returns
// why there is none.
func unbacked(score strict.Number, evidence []*Evidence, reference, digest string) (diag.Diagnostic, bool) {
	if len(evidence) == 0 {
		return diag.Diagnostic{Code: CodeEvidenceMissing, Message: "found no solver-score output for this task"}, true
	}
	var backing *Evidence
	for _, e := range evidence {
		if e.ReferenceID != reference || e.RelativeScore.Float64() != score.Float64() || e.ReferenceSHA256 != "" && e.ReferenceSHA256 != digest {
			continue
		}
		if !e.used {
			e.used = true
			return diag.Diagnostic{}, false
		}
		backing = e
	}
	if backing != nil {
		d := diag.Diagnostic{Code: CodeEvidenceMissing, Message: "each solver-score output with this score backs another row already"}
		return d.WithRelated(backing.at.In(backing.File), "one of them"), true
	}
	d := diag.Diagnostic{Code: CodeEvidenceMismatch, Message: "no solver-score output has this relative_score against the cohort's reference"}
	distance := func(e *Evidence) float64 { return math.Abs(e.RelativeScore.Float64() - score.Float64()) }
	nearest := slices.SortedStableFunc(slices.Values(evidence), func(a, b *Evidence) int { return cmp.Compare(distance(a), distance(b)) })
	const few = 2
	for _, e := range nearest[:min(few, len(nearest))] {
		other := ""
		if e.ReferenceID == reference && e.ReferenceSHA256 != "" && e.ReferenceSHA256 != digest {
			other = ", of which the facts have changed: reference_sha256 differs"
		}
		d = d.WithRelated(e.at.In(e.File), "relative_score %s against the reference %q%s", e.RelativeScore, e.ReferenceID, other)
	}
	if more := len(nearest) - few; more > 0 {
		d = d.WithHint("there are %d more outputs for this task, with scores further away; was the score rounded?", more)
	} else {
		d = d.WithHint("was the score rounded? it must be written as it was computed")
	}
	return d, true
}
