package report

import (
	"fmt"
	"strconv"
	"strings"

	"scorebook/exam"
	"scorebook/standings"
)

// Bounds of what a page shows; the CSV has everything.
const (
	maxColumns = 12  // models side by side in the table of tasks
	maxItems   = 300 // tasks in it
	maxIssues  = 100 // lines of what a model lacks
)

// tracks says what people call a track, and its letter in the formula.
var tracks = map[exam.Track]struct{ letter, words string }{
	exam.Theorem:      {"P", "theorem proving"},
	exam.Solver:       {"S", "solver engineering"},
	exam.Construction: {"C", "constructions"},
	exam.Open:         {"O", "open conjectures"},
}

// indexView is the output of score as the page shows it.
type indexView struct {
	ID      string
	Heading string
	Facts   []fact
	Digests []fact
	Counts  string
	Formula string
	Tracks  []trackHead
	Models  []modelView
	Scale   string // what the bars end at, if it is not 100
	Trouble []troubleView
	Columns []string // models of the table of tasks
	Wide    bool     // too many of them to put anything beside the table
	Span    int      // columns of the table
	Tasks   []trackView
	Cut     string // what the table of tasks leaves out
}

type trackHead struct{ Class, Letter, Words string }

type modelView struct {
	Rank, Name, Note string
	Index, Exact     string
	Incomplete       bool
	Bar              barView
	Means            []meanView
	Coverage         string
	Status, Class    string
}

type meanView struct{ Letter, Text, Exact string }

// barView is a stacked bar; lengths are percentages of its width.
type barView struct {
	Label string
	Parts []partView
	Mark  string // of 100 points, if the bar is longer
}

type partView struct{ Class, X, Width, Letter, Middle, Title string }

// newIndexView lays out an Index. If it is not headed by its suite and protocol,
// its facts name them.
func newIndexView(w words, number int, headed bool, named Named[*exam.IndexResult]) indexView {
	r := named.Result
	v := indexView{ID: fmt.Sprintf("index-%d", number), Heading: name(r.Suite + " · " + string(r.Protocol)), Formula: formula(), Counts: counts(w, r)}
	v.Facts = append(v.Facts, fact{Text: name(r.Metric)})
	if !headed {
		v.Facts = append(v.Facts, fact{What: w.say("suite"), Text: name(r.Suite)}, fact{Text: w.say("%s solver protocol", name(string(r.Protocol)))})
	}
	v.Facts = append(v.Facts, fact{What: w.say("reference"), Text: name(r.ReferenceID), Code: true})
	v.Digests = digests(w, &r.Provenance)
	for _, track := range exam.Tracks {
		v.Tracks = append(v.Tracks, trackHead{string(track), tracks[track].letter, w.say(tracks[track].words)})
	}
	full := fullPoints(r)
	if full > 100 {
		v.Scale = w.say("bars end at %s points; the rule in them stands at 100", fixed(full, 1))
	}
	ranked := Ranking(r)
	for _, row := range ranked {
		v.Models = append(v.Models, newModelView(w, row, r.Models[row.Name], full))
		if t := newTroubleView(w, row.Name, r.Models[row.Name]); t != nil {
			v.Trouble = append(v.Trouble, *t)
		}
	}
	v.addTasks(w, r, ranked)
	return v
}

// digests are those that a result names, and what made it.
func digests(w words, p *exam.Provenance) (facts []fact) {
	for _, d := range []struct{ what, digest string }{
		{"suite", p.SuiteSHA256},
		{"cohort", p.CohortSHA256},
		{"attempts", p.AttemptsSHA256},
		{"records", p.RecordsSHA256},
		{"reference", p.ReferenceSHA256},
	} {
		if d.digest != "" {
			facts = append(facts, fact{What: w.say(d.what), Text: name(shorten(d.digest)), Whole: name(d.digest), Code: true})
		}
	}
	if len(facts) > 0 {
		facts[0].What = w.say("sha256 of %s", facts[0].What)
	}
	if p.Tool != "" {
		facts = append(facts, fact{Text: name(p.Tool + " " + p.Version)})
	}
	return facts
}

// formula says what the Index adds, with the letters of the tracks.
func formula() string {
	var parts []string
	for _, track := range exam.Tracks {
		parts = append(parts, fmt.Sprintf("%d %s", track.Weight(), tracks[track].letter))
	}
	return strings.Join(parts, " + ")
}

// counts says how much there is: models, tasks and planned results.
func counts(w words, r *exam.IndexResult) string {
	tasks, least, most := 0, -1, 0
	for _, m := range r.Models {
		n := 0
		for _, track := range exam.Tracks {
			n += len(m.Tracks.Of(track).Tasks)
		}
		tasks = max(tasks, n)
		if least < 0 || m.Coverage.Planned < least {
			least = m.Coverage.Planned
		}
		most = max(most, m.Coverage.Planned)
	}
	planned := w.count(most, "1 result", "%s results")
	if least != most {
		planned = w.say("%s to %s", thousands(max(0, least)), planned)
	}
	return w.say("%s · %s · %s planned for each model", w.count(len(r.Models), "1 model", "%s models"), w.count(tasks, "1 task", "%s tasks"), planned)
}

// fullPoints returns what the bars of all models end at: 100 points, or those
// of the model that has most.
func fullPoints(r *exam.IndexResult) float64 {
	full := 100.0
	for _, m := range r.Models {
		sum := 0.0
		for _, track := range exam.Tracks {
			if p := m.Tracks.Of(track).Points; p != nil && *p > 0 {
				sum += *p
			}
		}
		full = max(full, sum)
	}
	return full
}

func newModelView(w words, row standings.Row, m *exam.ModelIndex, full float64) modelView {
	v := modelView{
		Rank: absent, Name: name(row.Name), Note: modelNote(w, m), Index: w.say("not yet"), Incomplete: m.Index == nil,
		Coverage: fmt.Sprintf("%s / %s", thousands(m.Coverage.Observed), thousands(m.Coverage.Planned)),
		Status:   name(string(m.Status)), Class: statusClass(m.Status),
	}
	if row.Rank > 0 {
		v.Rank = strconv.Itoa(row.Rank)
		if row.Tied {
			v.Rank += "="
		}
	}
	if m.Index != nil {
		v.Index, v.Exact = fixed(*m.Index, 2), exact(*m.Index)
	}
	at := 0.0
	var label []string
	for _, track := range exam.Tracks {
		mean := m.Tracks.Of(track)
		t := tracks[track]
		v.Means = append(v.Means, meanView{Letter: t.letter, Text: maybeFixed(mean.Mean, 3), Exact: maybeExact(mean.Mean)})
		if mean.Points == nil {
			label = append(label, w.say("%s not yet", w.say(t.words)))
			continue
		}
		text := w.say("%s %s points", w.say(t.words), fixed(*mean.Points, 2))
		label = append(label, text)
		width := share(*mean.Points, full)
		part := partView{Class: string(track), X: percent(at), Width: percent(width), Title: text, Middle: percent(at + width/2)}
		if width >= 6 {
			part.Letter = t.letter
		}
		v.Bar.Parts = append(v.Bar.Parts, part)
		at += width
	}
	v.Bar.Label = strings.Join(label, ", ")
	if full > 100 {
		v.Bar.Mark = percent(share(100, full))
	}
	return v
}

// modelNote says how often a model tried each task, if that is the same for
// all, and what is provisional.
func modelNote(w words, m *exam.ModelIndex) string {
	var parts []string
	tasks := 0
	for _, track := range exam.Tracks {
		tasks += len(m.Tracks.Of(track).Tasks)
	}
	if tasks > 0 && m.Coverage.Planned%tasks == 0 {
		parts = append(parts, w.count(m.Coverage.Planned/tasks, "1 repetition", "%s repetitions"))
	}
	if m.ProvisionalAttempts > 0 {
		parts = append(parts, w.say("%s adopted provisionally", thousands(m.ProvisionalAttempts)))
	}
	return strings.Join(parts, ", ")
}

// statusClass is the class of a status in the style sheet.
func statusClass(s exam.State) string {
	switch s {
	case exam.Complete:
		return ""
	case exam.Provisional:
		return "half"
	default:
		return "bad"
	}
}

// troubleView is why a model is not simply complete.
type troubleView struct {
	Heading, Line string
	Provisional   bool
	Issues        []issueView
	More          string
}

type issueView struct{ Code, Track, Item, Attempt, Message string }

func newTroubleView(w words, model string, m *exam.ModelIndex) *troubleView {
	switch m.Status {
	case exam.Complete:
		return nil
	case exam.Provisional:
		v := &troubleView{
			Heading:     w.say("What is provisional in %s", name(model)),
			Line:        w.count(m.ProvisionalAttempts, "1 attempt is adopted provisionally; the Index may change with it", "%s attempts are adopted provisionally; the Index may change with them"),
			Provisional: true,
		}
		for _, track := range exam.Tracks {
			for _, task := range m.Tracks.Of(track).Tasks {
				for _, a := range task.Attempts {
					if a.Provisional {
						v.add(issueView{Code: "provisional", Track: string(track), Item: name(task.Item), Attempt: name(a.Attempt)}, "")
					}
				}
			}
		}
		return v.end(w, m.ProvisionalAttempts)
	}
	v := &troubleView{
		Heading: w.say("What keeps %s incomplete", name(model)),
		Line: w.count(len(m.Issues), "1 of %s planned results is missing; the Index stays empty until it is there",
			"%s of %s planned results are missing; the Index stays empty until they are there", thousands(m.Coverage.Planned)),
	}
	for i := 0; i < len(m.Issues); {
		issue, same := m.Issues[i], 0
		for ; i < len(m.Issues) && m.Issues[i] == issue; i++ {
			same++
		}
		again := ""
		if same > 1 {
			again = w.say(" (%s times)", thousands(same))
		}
		v.add(issueView{Code: name(issue.Code), Track: name(string(issue.Track)), Item: name(issue.Item), Attempt: name(issue.Attempt), Message: name(issue.Message)}, again)
	}
	return v.end(w, len(m.Issues))
}

// add lists a line as long as there is room, with what is said after it.
func (t *troubleView) add(issue issueView, after string) {
	if len(t.Issues) >= maxIssues {
		return
	}
	issue.Message += after
	t.Issues = append(t.Issues, issue)
}

// end says if the list is not whole.
func (t *troubleView) end(w words, total int) *troubleView {
	if len(t.Issues) == maxIssues && total > maxIssues {
		t.More = w.say("The first %d lines; the file has all %s.", maxIssues, thousands(total))
	}
	return t
}
