package exam

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"scorebook/diag"
	"scorebook/stat"
)

// Metric identifies how the Index is computed: 30P + 30S + 30C + 10O over the
// original scores.
const Metric = "tcsexam-index-original-30303010-v0.1"

// IndexResult is what score publishes. Its encoding is the output format;
// floats are the nearest to the exact values.
type IndexResult struct {
	Metric      string                 `json:"metric"`
	Suite       string                 `json:"suite"`
	Protocol    Protocol               `json:"solver_protocol"`
	ReferenceID string                 `json:"solver_reference_id"`
	Models      map[string]*ModelIndex `json:"models"`
	Provenance  Provenance             `json:"provenance"`
}

// State says how far a model's result can be relied on.
type State string

// The states of a model's result.
const (
	Complete    State = "complete"
	Provisional State = "provisional" // complete, with provisionally adopted attempts
	Incomplete  State = "incomplete"  // without an Index
)

// ModelIndex is the result of one model.
type ModelIndex struct {
	Status              State      `json:"status"`
	Index               *float64   `json:"index"` // points; null if incomplete; may exceed 100
	Tracks              TrackMeans `json:"tracks"`
	Coverage            Coverage   `json:"coverage"`
	ProvisionalAttempts int        `json:"provisional_attempts"`
	Issues              []Issue    `json:"issues"`
}

// TrackMeans holds the four tracks in the order of publication.
type TrackMeans struct {
	Theorem      TrackMean `json:"theorem"`
	Solver       TrackMean `json:"solver"`
	Construction TrackMean `json:"construction"`
	Open         TrackMean `json:"open"`
}

// Of returns the part that belongs to a track.
func (t *TrackMeans) Of(track Track) *TrackMean {
	switch track {
	case Theorem:
		return &t.Theorem
	case Solver:
		return &t.Solver
	case Construction:
		return &t.Construction
	default:
		return &t.Open
	}
}

// TrackMean is the equally weighted mean over the tasks of a track.
type TrackMean struct {
	Mean     *float64   `json:"mean"` // null if a planned result is missing
	Weight   int64      `json:"weight"`
	Points   *float64   `json:"points"`   // weight times mean
	Planned  int        `json:"planned"`  // repetitions
	Observed int        `json:"observed"` // of those, with a valid score
	Tasks    []TaskMean `json:"tasks"`    // by item
}

// TaskMean is the mean over the adopted repetitions of a task.
type TaskMean struct {
	Item     string         `json:"item"`
	Mean     *float64       `json:"mean"` // null if a planned repetition is missing
	Attempts []AttemptScore `json:"attempts"`
}

// AttemptScore is one adopted row.
type AttemptScore struct {
	Attempt     string   `json:"attempt"`
	Score       *float64 `json:"score"` // null if there is no valid score
	Status      string   `json:"score_status"`
	Provisional bool     `json:"provisional"`
}

// Coverage counts repetitions.
type Coverage struct {
	Planned  int `json:"planned"`
	Observed int `json:"observed"`
}

// NoAttempt is the code of the issue that a planned repetition has no adopted
// row. The other codes are the score statuses of [Unobserved].
const NoAttempt = "no_attempt"

// Issue is a planned repetition without a result.
type Issue struct {
	Code    string `json:"code"`
	Track   Track  `json:"track"`
	Item    string `json:"item"`
	Attempt string `json:"attempt"` // empty if there is no row
	Message string `json:"message"`
}

// ComputeIndex aggregates checked attempts: repetitions of a task, then tasks
// of a track equally, then the weighted sum of the four track means. A model
// that lacks a planned repetition gets no Index, and an issue for each. It
// reports scores that are too large for their mean to be published; the result
// is then nil.
func ComputeIndex(suite *Suite, cohort *Cohort, attempts *Attempts, diags *diag.List) *IndexResult {
	result := &IndexResult{
		Metric: Metric, Suite: suite.Name, Protocol: cohort.Protocol, ReferenceID: suite.ReferenceID,
		Models: map[string]*ModelIndex{},
	}
	type task struct {
		model, item string
		track       Track
	}
	adopted := map[task][]*Attempt{}
	for i := range attempts.Rows {
		if a := &attempts.Rows[i]; a.Adopted() {
			t := task{a.Model(), a.Item(), a.Track()}
			adopted[t] = append(adopted[t], a)
		}
	}
	for _, m := range cohort.Models {
		model := &ModelIndex{Status: Complete}
		result.Models[m.Name] = model
		index, tooLarge := new(big.Rat), false
		for _, track := range Tracks {
			mean := model.addTrack(track, suite.Items(track), m.AttemptsPerTask, func(item string) []*Attempt {
				return adopted[task{m.Name, item, track}]
			})
			if mean == nil {
				model.Status = Incomplete
				continue
			}
			tooLarge = tooLarge || math.IsInf(*model.Tracks.Of(track).Points, 0)
			index.Add(index, weigh(track, mean))
		}
		if tooLarge || math.IsInf(stat.Float64(index), 0) {
			attempts.reportTooLarge(m.Name, diags)
		}
		if model.Status == Incomplete {
			continue
		}
		model.Index = new(stat.Float64(index))
		if model.ProvisionalAttempts > 0 {
			model.Status = Provisional
		}
	}
	if !diags.OK() {
		return nil
	}
	return result
}

// reportTooLarge reports the largest score of a model.
func (t *Attempts) reportTooLarge(model string, diags *diag.List) {
	var worst *Attempt
	most := math.Inf(-1)
	for i := range t.Rows {
		a := &t.Rows[i]
		if !a.Adopted() || a.Model() != model {
			continue
		}
		if n, ok := a.Score(); ok && n.Float64() > most {
			worst, most = a, n.Float64()
		}
	}
	diags.Add(diag.At(t.position(worst, columnScore), CodeAttemptsScoreRange,
		"found the score %s, with which the points of %q are outside float64", worst.fields[columnScore], model))
}

// addTrack adds the result of one track and returns its exact mean, or nil if
// a planned repetition has no result.
func (m *ModelIndex) addTrack(track Track, items []string, planned int, adopted func(item string) []*Attempt) *big.Rat {
	t := m.Tracks.Of(track)
	t.Weight = track.Weight()
	means := make([]*big.Rat, 0, len(items))
	for _, item := range items {
		rows := slices.Clone(adopted(item))
		slices.SortFunc(rows, func(a, b *Attempt) int { return strings.Compare(a.Name(), b.Name()) })
		taskMean := TaskMean{Item: item}
		var scores []*big.Rat
		for _, a := range rows {
			score := AttemptScore{Attempt: a.Name(), Status: a.Status(), Provisional: a.Provisional()}
			if a.Provisional() {
				m.ProvisionalAttempts++
			}
			if n, ok := a.Score(); ok {
				exact := decimal(n)
				scores = append(scores, exact)
				score.Score = new(stat.Float64(exact))
			} else {
				m.Issues = append(m.Issues, Issue{
					Code: a.Status(), Track: track, Item: item, Attempt: a.Name(),
					Message: fmt.Sprintf("attempt %q is %s", a.Name(), a.Status()),
				})
			}
			taskMean.Attempts = append(taskMean.Attempts, score)
		}
		for range planned - len(rows) {
			m.Issues = append(m.Issues, Issue{Code: NoAttempt, Track: track, Item: item, Message: "no adopted attempt"})
		}
		t.Planned += planned
		t.Observed += len(scores)
		if len(scores) == planned {
			mean := stat.Mean(scores)
			means = append(means, mean)
			taskMean.Mean = new(stat.Float64(mean))
		}
		t.Tasks = append(t.Tasks, taskMean)
	}
	m.Coverage.Planned += t.Planned
	m.Coverage.Observed += t.Observed
	if len(means) < len(items) {
		return nil
	}
	mean := stat.Mean(means)
	t.Mean = new(stat.Float64(mean))
	t.Points = new(stat.Float64(weigh(track, mean)))
	return mean
}

func weigh(track Track, mean *big.Rat) *big.Rat {
	return new(big.Rat).Mul(big.NewRat(track.Weight(), 1), mean)
}
