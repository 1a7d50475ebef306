package report

import (
	"slices"
	"strings"

	"scorebook/exam"
	"scorebook/standings"
)

// trackView is one track in the table of tasks.
type trackView struct {
	Head  trackHead
	Scale string // what a full bar is
	Rows  []taskView
}

type taskView struct {
	Item  string
	Cells []cellView
}

// cellView is the mean of a model at a task: a bar and a figure.
type cellView struct {
	Missing     bool
	Text, Title string
	Width, Mark string // of the bar, and of a mean of 1 if the bar may be longer
}

// addTasks lays out the means of the tasks: a line each, a column for each
// model in the order of rank.
func (v *indexView) addTasks(w words, r *exam.IndexResult, ranked []standings.Row) {
	shown := ranked[:min(maxColumns, len(ranked))]
	for _, row := range shown {
		v.Columns = append(v.Columns, name(row.Name))
	}
	const few = 4
	v.Wide, v.Span = len(shown) > few, len(shown)+1
	var cut []string
	if more := len(ranked) - len(shown); more > 0 {
		cut = append(cut, w.count(more, "1 more model", "%s more models"))
	}
	room, left := maxItems, 0
	for _, track := range exam.Tracks {
		items := itemsOf(r, track)
		full := 1.0
		for _, m := range r.Models {
			for _, task := range m.Tracks.Of(track).Tasks {
				if task.Mean != nil {
					full = max(full, *task.Mean)
				}
			}
		}
		t := trackView{Head: trackHead{string(track), tracks[track].letter, w.say(tracks[track].words)}}
		if full > 1 {
			t.Scale = w.say("a full bar is %s, the rule in it stands at 1", fixed(full, 2))
		}
		for _, item := range items {
			if room == 0 {
				left++
				continue
			}
			room--
			line := taskView{Item: name(item)}
			for _, row := range shown {
				line.Cells = append(line.Cells, newCell(w, r.Models[row.Name].Tracks.Of(track), item, full))
			}
			t.Rows = append(t.Rows, line)
		}
		if len(t.Rows) > 0 {
			v.Tasks = append(v.Tasks, t)
		}
	}
	if left > 0 {
		cut = append(cut, w.count(left, "1 more task", "%s more tasks"))
	}
	if len(cut) > 0 {
		v.Cut = w.say("Not shown here: %s; the file has them.", strings.Join(cut, w.say(" and ")))
	}
}

// itemsOf lists the tasks of a track over all models, by name.
func itemsOf(r *exam.IndexResult, track exam.Track) (items []string) {
	for _, m := range r.Models {
		for _, task := range m.Tracks.Of(track).Tasks {
			items = append(items, task.Item)
		}
	}
	slices.Sort(items)
	return slices.Compact(items)
}

func newCell(w words, t *exam.TrackMean, item string, full float64) cellView {
	c := cellView{Missing: true, Text: absent, Title: w.say("no result yet")}
	i := slices.IndexFunc(t.Tasks, func(task exam.TaskMean) bool { return task.Item == item })
	if i < 0 {
		return c
	}
	task := &t.Tasks[i]
	observed := scored(task)
	if task.Mean == nil {
		if observed > 0 {
			c.Title = w.count(observed, "not yet: 1 of its repetitions has a score", "not yet: %s of its repetitions have a score")
		}
		return c
	}
	c = cellView{Text: fixed(*task.Mean, 3), Width: percent(share(*task.Mean, full))}
	c.Title = w.say("%s, the mean of %s", exact(*task.Mean), w.count(observed, "1 repetition", "%s repetitions"))
	if full > 1 {
		c.Mark = percent(share(1, full))
	}
	return c
}

// scored counts the repetitions of a task that have a score.
func scored(task *exam.TaskMean) (n int) {
	for _, a := range task.Attempts {
		if a.Score != nil {
			n++
		}
	}
	return n
}
