package dresfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"scorebook/contest"
	"scorebook/diag"
	"scorebook/retrieval"
	"scorebook/strict"
)

// Contest is what becomes of a template.
type Contest struct {
	Name      string
	Questions []retrieval.Question
	Teams     []string
	Points    Points
}

// Points are those of DRES's formula, which is the one of the ruleset aic2025
// without its quality.
type Points struct {
	Max, End, Penalty float64
}

// dresPoints are the points of DRES if a template says nothing.
var dresPoints = Points{1000, 500, 100}

// ReadContest makes a contest of a template. What cannot be carried over is
// reported as a warning each; ok is false if nothing can be.
func ReadContest(src *strict.Source, diags *diag.List) (c *Contest, ok bool) {
	t, ok := read(src, diags)
	if !ok {
		return nil, false
	}
	r := reader{template: t, diags: diags, at: diag.Position{File: src.File()}, ids: map[retrieval.QuestionID]bool{}}
	c = &Contest{Name: oneLine(t.Name), Points: r.points()}
	r.options()
	for i := range t.Tasks {
		if q, ok := r.question(&t.Tasks[i]); ok {
			c.Questions = append(c.Questions, q)
		}
	}
	c.Teams = r.teams()
	if len(c.Questions) == 0 {
		diags.Add(diag.At(r.at, CodeInvalid, "found no task that can be played here, expected at least one with a media item as its target"))
		return nil, false
	}
	return c, true
}

type reader struct {
	*template
	diags *diag.List
	at    diag.Position
	ids   map[retrieval.QuestionID]bool
}

func (r *reader) lose(format string, args ...any) {
	r.diags.Add(diag.At(r.at, CodeNotCarried, format, args...))
}

// points returns those of the first type of tasks that gives any.
func (r *reader) points() Points {
	points, from := dresPoints, ""
	for _, t := range r.TaskTypes {
		own := dresPoints
		for name, into := range map[string]*float64{"maxPointsPerTask": &own.Max, "maxPointsAtTaskEnd": &own.End, "penaltyPerWrongSubmission": &own.Penalty} {
			text, ok := t.Configuration[t.ScoreOption+"."+name]
			if !ok {
				text = t.Configuration[name]
			}
			if value, err := strconv.ParseFloat(text, 64); err == nil && value >= 0 && value <= 1e9 {
				*into = value
			}
		}
		own.End = min(own.End, own.Max)
		switch {
		case from == "":
			points, from = own, t.Name
		case own != points:
			r.lose("the type of tasks %q gives %v points down to %v and %v off, and one ruleset has one formula: the points are those of %q", t.Name, own.Max, own.End, own.Penalty, from)
		}
	}
	return points
}

// here are the options of DRES whose counterpart is part of every contest.
var here = map[string]bool{
	"LIMIT_CORRECT_PER_TEAM": true, "TEMPORAL_SUBMISSION": true, "TEXTUAL_SUBMISSION": true, "ITEM_SUBMISSION": true,
}

// options tells which options have no counterpart.
func (r *reader) options() {
	r.lose("DRES gives full points anywhere in a range; the ruleset aic2025 gives fewer towards its edges")
	for _, t := range r.TaskTypes {
		for _, option := range append(append([]string{}, t.SubmissionOptions...), t.TaskOptions...) {
			if !here[option] {
				r.lose("the type of tasks %q has the option %s, which there is not here", t.Name, option)
			}
		}
		if t.ScoreOption != "KIS" && t.ScoreOption != optionTRAKE {
			r.lose("the type of tasks %q is scored as %s, and here as a known item", t.Name, t.ScoreOption)
		}
	}
	hints := 0
	for _, t := range r.Tasks {
		hints += len(t.Hints)
	}
	if hints > 0 {
		r.lose("hints of tasks (%d): they are shown outside of scorebook", hints)
	}
	if len(r.TeamGroups) > 0 {
		r.lose("groups of teams (%d): every team has a row of its own", len(r.TeamGroups))
	}
}

// question makes a question of a task.
func (r *reader) question(t *task) (q retrieval.Question, ok bool) {
	media, texts := r.targets(t)
	if len(media) == 0 {
		r.lose("task %q: there is no media item among its targets, so it is left out", t.Name)
		return q, false
	}
	q.Type = retrieval.KIS
	switch {
	case r.isTRAKE(t.Type):
		q.Type = retrieval.TR
	case len(texts) > 0:
		q.Type = retrieval.QA
	}
	r.media(&q, t, &media[0])
	if q.Video == "" {
		r.lose("task %q: its video has no name, so it is left out", t.Name)
		return q, false
	}
	if q.Type != retrieval.TR {
		for i := range media {
			if !media[i].same(&media[0]) {
				r.lose("task %q: several targets of which any is right, and a question has one, so it is left out", t.Name)
				return q, false
			}
		}
		media = media[:1]
	}
	for i := range media {
		event, fault := r.event(&q, &media[i])
		if fault == "" && media[i].item() != media[0].item() {
			fault = "its events are in several videos"
		}
		if fault != "" {
			r.lose("task %q: %s, so it is left out", t.Name, fault)
			return q, false
		}
		q.Events = append(q.Events, event)
	}
	if q.Type == retrieval.QA {
		q.Answers = r.answers(t, texts)
	}
	q.ID = r.id(t.Name)
	if q.TimeLimit = float64(t.Duration); t.Duration <= 0 || t.Duration > 86400 {
		r.lose("task %q: found a duration of %d seconds, expected 1 to 86400: it has the limit of the rules", t.Name, t.Duration)
		q.TimeLimit = 0
	}
	return q, true
}

// targets returns the targets of a task that are items, and the texts that are
// right.
func (r *reader) targets(t *task) (media []target, texts []string) {
	for _, target := range t.Targets {
		switch target.Type {
		case targetItem, targetRange:
			media = append(media, target)
		case targetAnswer:
			media = append(media, target)
			texts = append(texts, text(target.Target))
		case targetText:
			texts = append(texts, text(target.Target))
		default:
			r.lose("task %q: a target of the type %s, which a jury decides", t.Name, target.Type)
		}
	}
	return media, texts
}

// same reports whether two targets are the same part of the same item.
func (t *target) same(other *target) bool {
	return t.item() == other.item() && (t.Range == nil) == (other.Range == nil) && (t.Range == nil || *t.Range == *other.Range)
}

// item returns the id of the target's item. Where the target is a text, only the
// item itself has it.
func (t *target) item() string {
	if t.Item != nil && t.Item.ID != "" {
		return t.Item.ID
	}
	return text(t.Target)
}

func (r *reader) isTRAKE(name string) bool {
	for _, t := range r.TaskTypes {
		if t.Name == name {
			return t.TargetOption == optionTRAKE
		}
	}
	return false
}

// media sets what a question knows of its video.
func (r *reader) media(q *retrieval.Question, t *task, target *target) {
	item, name := target.Item, target.item()
	if item != nil && item.Name != "" {
		name = item.Name
	} else {
		r.lose("task %q: its video is known by the id %s only: put its name into the table", t.Name, name)
	}
	q.Scene, q.Video = retrieval.NewMedia(nil).Resolve(oneLine(name))
	if item != nil && item.FPS != nil && *item.FPS > 0 && *item.FPS <= 1000 {
		q.FPS = *item.FPS
	}
	if item != nil && item.Type != "" && item.Type != typeVideo {
		r.lose("task %q: its item is of the type %s, and is taken as a video", t.Name, item.Type)
	}
}

// event makes an event of a target, in milliseconds or, for TRAKE, in frames.
func (r *reader) event(q *retrieval.Question, t *target) (e retrieval.Event, fault string) {
	if t.Range == nil {
		if q.Type == retrieval.TR {
			return e, "an event has no range"
		}
		return retrieval.WholeVideo, ""
	}
	s, fps := t.Range, q.FPS
	if fps == 0 {
		fps = 25
		if q.Type == retrieval.TR || s.Start.inFrames() || s.End.inFrames() {
			r.lose("item %s: found no frames a second, so 25 are assumed", t.item())
		}
	}
	start, ok := s.Start.milliseconds(fps)
	end, fine := s.End.milliseconds(fps)
	if !ok || !fine || start > end {
		return e, fmt.Sprintf("found the range %.80q %s to %.80q %s, expected two moments in this order", s.Start.Value, s.Start.Unit, s.End.Value, s.End.Unit)
	}
	if q.Type == retrieval.TR {
		start, end = start*fps/1000, end*fps/1000
	}
	return retrieval.Event{Start: int64(math.Round(start)), End: int64(math.Round(end))}, ""
}

// answers returns the texts that are answers word for word.
func (r *reader) answers(t *task, texts []string) (answers []string) {
	seen := map[string]bool{}
	for _, answer := range texts {
		answer = oneLine(answer)
		switch {
		case strings.HasPrefix(answer, `\`):
			r.lose("task %q: the pattern %s: write the answers that it stands for into the table", t.Name, answer)
		case strings.Contains(answer, "|"):
			r.lose("task %q: the answer %q holds a vertical bar, which separates answers in the table", t.Name, answer)
		case answer != "" && !seen[answer]:
			seen[answer] = true
			answers = append(answers, norm.NFC.String(answer))
		}
	}
	if len(answers) == 0 {
		r.lose("task %q: no answer is left, so any text is right at the right moment", t.Name)
	}
	return answers
}

// id makes the id of a question of the name of a task.
func (r *reader) id(name string) retrieval.QuestionID {
	const most = 60
	words := strings.FieldsFunc(name, func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsGraphic(c) })
	text := []rune(strings.Join(words, "-"))
	if len(text) == 0 || !utf8.ValidString(name) {
		text = []rune("task")
	}
	text = text[:min(most, len(text))]
	id := retrieval.QuestionID(text)
	for n := 2; r.ids[id]; n++ {
		id = retrieval.QuestionID(fmt.Sprintf("%s-%d", string(text), n))
	}
	r.ids[id] = true
	if strings.ReplaceAll(string(id), "-", " ") != strings.ReplaceAll(name, "-", " ") {
		r.lose("task %q: the question is called %q", name, id)
	}
	return id
}

// teams returns the names of the teams that can be registered.
func (r *reader) teams() (names []string) {
	taken := map[string]bool{}
	users := 0
	for _, team := range r.Teams {
		name, fault := contest.CleanName(team.Name)
		key := contest.NameKey(name)
		switch {
		case fault != "":
			r.lose("team %q: %s, so it is left out", team.Name, fault)
			continue
		case taken[key]:
			r.lose("team %q: another team has this name or one that looks the same, so it is left out", team.Name)
			continue
		}
		taken[key] = true
		names = append(names, name)
		for _, user := range team.Users {
			if contest.NameKey(user.Username) != key {
				users++
			}
		}
	}
	if users > 0 {
		r.lose("users who are not called as their team (%d): here the team signs in, by its name", users)
	}
	return names
}

// YAML writes the contest file. The table of questions is to stand beside it
// under the given name.
func (c *Contest) YAML(groundTruth string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "name: %s\nground_truth: %s\nrules:\n  extends: aic2025\n", quoted(c.Name), quoted(groundTruth))
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	fmt.Fprintf(&b, "  p_max: %s\n  p_base: %s\n  p_penalty: %s\n", number(c.Points.Max), number(c.Points.End), number(c.Points.Penalty))
	b.WriteString("  tolerance: {kis: 0, qa: 0, tr: 0} # a range is met inside, and nowhere else\nregistration: closed\n")
	if len(c.Teams) > 0 {
		b.WriteString("teams:\n")
	}
	for _, name := range c.Teams {
		fmt.Fprintf(&b, "  - %s\n", quoted(name))
	}
	return b.Bytes()
}

// quoted writes a text as JSON does, which YAML reads.
func quoted(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // every text can be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// oneLine returns a text without control characters.
func oneLine(text string) string {
	return strings.TrimSpace(strings.Join(strings.FieldsFunc(text, unicode.IsControl), " "))
}
