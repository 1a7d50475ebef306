package exam

import (
	"slices"

	"scorebook/diag"
	"scorebook/strict"
)

// Suite is a manifest: which tasks each track of a benchmark release has.
type Suite struct {
	File        string
	Name        string
	ReferenceID string // of the fixed reference for its solver tasks
	items       map[Track][]string
	at          map[string]strict.Place // of each item
	nameAt      strict.Place
	referenceAt strict.Place
}

// Items returns the tasks of a track, sorted.
func (s *Suite) Items(t Track) []string { return s.items[t] }

// Has reports whether the track has the item.
func (s *Suite) Has(t Track, item string) bool {
	_, ok := slices.BinarySearch(s.items[t], item)
	return ok
}

// CheckSolverTask reports a name that is no solver task of the suite.
func (s *Suite) CheckSolverTask(name string, diags *diag.List) {
	if !s.Has(Solver, name) {
		diags.Add(suggest(diag.At(s.nameAt.In(s.File), CodeUnknownTask, "found no solver task %q in the suite %q", name, s.Name), name, s.Items(Solver)))
	}
}

// Size returns how many tasks the suite has.
func (s *Suite) Size() int { return len(s.at) }

// ParseSuite reads a suite manifest. It reports every fault; the result is
// complete only if there was none.
func ParseSuite(src *strict.Source, diags *diag.List) *Suite {
	s := &Suite{File: src.File(), items: map[Track][]string{}, at: map[string]strict.Place{}}
	j := strict.NewJSON(src, diags, CodeSuiteInvalid)
	var tracks []strict.Field
	for _, t := range Tracks {
		tracks = append(tracks, strict.Field{Name: string(t), Read: func(j *strict.JSON) { s.readItems(j, t, diags) }})
	}
	tracksShape := strict.NewShape("tracks", tracks...)
	j.Object(strict.NewShape("suite manifest",
		strict.Field{Name: "suite", Read: func(j *strict.JSON) {
			s.nameAt = j.Here()
			s.Name = readName(j, "suite", CodeSuiteInvalid)
		}},
		strict.Field{Name: "solver_reference_id", Read: func(j *strict.JSON) {
			s.referenceAt = j.Here()
			s.ReferenceID = readName(j, "solver_reference_id", CodeSuiteInvalid)
		}},
		strict.Field{Name: "tracks", Read: func(j *strict.JSON) { j.Object(tracksShape) }},
	))
	j.End()
	return s
}

func (s *Suite) readItems(j *strict.JSON, t Track, diags *diag.List) {
	at := j.Here()
	_, ok := j.Array(string(t), func(int) {
		item, at, ok := j.String("item")
		switch first, twice := s.at[item]; {
		case !ok:
		case item == "":
			j.Fault(at, CodeSuiteInvalid, "%s: found an empty name", t)
		case twice:
			diags.Add(diag.At(at.In(s.File), CodeSuiteInvalid, "the task %q occurs twice", item).
				WithRelated(first.In(s.File), "first here"))
		default:
			s.at[item] = at
			s.items[t] = append(s.items[t], item)
		}
	})
	if ok && len(s.items[t]) == 0 {
		j.Fault(at, CodeSuiteInvalid, "%s: found no task, expected at least one, since its mean is part of the Index", t)
	}
	slices.Sort(s.items[t])
}

// CheckName reports a manifest that was looked up by name and has another.
func (s *Suite) CheckName(asked string, diags *diag.List) {
	if s.Name != asked {
		diags.Add(diag.At(s.nameAt.In(s.File), CodeSuiteInvalid, "found the suite %q, expected %q, by which it was looked up", s.Name, asked))
	}
}

// CheckReference reports where a manifest and a reference do not fit.
func (s *Suite) CheckReference(ref *Reference, diags *diag.List) {
	if s.ReferenceID != ref.ID {
		diags.Add(diag.At(s.referenceAt.In(s.File), CodeSuiteReference, "found solver_reference_id %q, but the reference is %q", s.ReferenceID, ref.ID).
			WithRelated(ref.at.In(ref.File), "the reference"))
	}
	for _, item := range s.items[Solver] {
		if ref.Task(item) == nil {
			diags.Add(diag.At(s.at[item].In(s.File), CodeSuiteReference, "the solver task %q is not in the reference %q", item, ref.ID).
				WithRelated(ref.at.In(ref.File), "the reference"))
		}
	}
}
