package dresfile_test

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/internal/dresfile"
	"scorebook/retrieval"
	"scorebook/setup"
	"scorebook/strict"
)

func read(text string) (*dresfile.Contest, *diag.List, bool) {
	var diags diag.List
	c, ok := dresfile.ReadContest(strict.NewSource("t.json", strings.NewReader(text), 0), &diags)
	return c, &diags, ok
}

func template(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/template.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReadContest(t *testing.T) {
	c, diags, ok := read(template(t))
	if !ok {
		t.Fatal(diags.Text())
	}
	event := func(points ...int64) (events []retrieval.Event) {
		for i := 0; i < len(points); i += 2 {
			events = append(events, retrieval.Event{Start: points[i], End: points[i+1]})
		}
		return events
	}
	want := []retrieval.Question{
		{ID: "KIS-1", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: event(33000, 34000), FPS: 25, TimeLimit: 240},
		{ID: "KIS-frames", Type: retrieval.KIS, Scene: "N001", Video: "V001", Events: event(25000, 26667), FPS: 30, TimeLimit: 240},
		{ID: "KIS-seconds", Type: retrieval.KIS, Video: "00043", Events: event(12500, 14000), FPS: 25, TimeLimit: 300},
		{ID: "KIS-timecode", Type: retrieval.KIS, Scene: "L04", Video: "V004", Events: event(3723600, 3725500), FPS: 25, TimeLimit: 300},
		{ID: "KIS-item", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: []retrieval.Event{retrieval.WholeVideo}, FPS: 25, TimeLimit: 300},
		{ID: "KIS-unnamed", Type: retrieval.KIS, Video: "5f0c1e9a", Events: event(5, 6), TimeLimit: 300},
		{ID: "QA-1", Type: retrieval.QA, Scene: "L01", Video: "V001", Events: event(30000, 40000), Answers: []string{"Mộc Châu", "Moc Chau"}, FPS: 25, TimeLimit: 300},
		{ID: "QA-pattern", Type: retrieval.QA, Scene: "L01", Video: "V001", Events: event(30000, 40000), FPS: 25, TimeLimit: 300},
		{ID: "TR-1", Type: retrieval.TR, Scene: "L04", Video: "V004", Events: event(200, 220, 400, 420), FPS: 50, TimeLimit: 300},
		{ID: "KIS-1-2", Type: retrieval.KIS, Scene: "L01", Video: "V001", Events: event(1, 2), FPS: 25},
	}
	for i, q := range c.Questions {
		if i >= len(want) || !reflect.DeepEqual(q, want[i]) {
			t.Errorf("found %+v", q)
		}
	}
	if len(c.Questions) != len(want) || !reflect.DeepEqual(c.Teams, []string{"Đội Một", `Two: "twice"`}) || c.Name != "Friday rehearsal" {
		t.Errorf("found %d questions and %q in %q", len(c.Questions), c.Teams, c.Name)
	}
	if want := (dresfile.Points{Max: 100, End: 50, Penalty: 10}); c.Points != want {
		t.Errorf("found %+v", c.Points)
	}
	golden, err := os.ReadFile("testdata/not-carried.txt")
	if err != nil || diags.Text() != string(golden) {
		t.Errorf("%v, found\n%s", err, diags.Text())
	}

	// What was written is a contest.
	var none diag.List
	s, ok := setup.Parse(strict.NewSource("contest.yaml", bytes.NewReader(c.YAML("questions.csv")), 0), &none)
	if !ok || none.Text() != "" || s.Name.Value != c.Name || s.GroundTruth.Value != "questions.csv" || len(s.Teams) != 2 || s.Teams[1].Name.Value != c.Teams[1] || s.Rules.PMax != 100 || s.Rules.Tolerance.KIS != 0 {
		t.Errorf("%s\nreads as %+v\n%s", c.YAML("questions.csv"), s, none.Text())
	}
	var table bytes.Buffer
	if err := retrieval.WriteGroundTruth(&table, c.Questions); err != nil {
		t.Fatal(err)
	}
	again, ok := retrieval.ParseGroundTruth(strict.NewSource("questions.csv", bytes.NewReader(table.Bytes()), 0), &none)
	if !ok || !reflect.DeepEqual(again, c.Questions) {
		t.Errorf("%s\nreads as %+v\n%s", table.String(), again, none.Text())
	}
}

func TestReadContestFaults(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "t.json:1:1: error: found no JSON that can be read"},
		{"{\n \"name\": \"x\",\n \"tasks\": [,]\n}", "t.json:3:12: error: found no JSON that can be read"},
		{"[]", "t.json:1:1: error: "},
		{`{"name": "x"}`, "t.json:1:1: error: found no name or no tasks"},
		{`{"name": " \u0000 ", "tasks": [{"name": "a"}]}`, "t.json:1:1: error: found no name or no tasks"},
		{`{"name": 1}`, "t.json:1:10: error: name: found number"},
		{"{\"name\": \"x\",\n\"tasks\": [{\"name\": \"a\", \"targets\": 7}]}", "t.json:2:36: error: tasks.targets: found number"},
		{`{"name": "x", "tasks": [{"name": "a", "targets": [{"type": "JUDGEMENT"}]}]}`, "t.json: error: found no task that can be played here"},
	} {
		c, diags, ok := read(test.text)
		first := diags.Text()
		for ok = ok || c != nil; strings.Contains(strings.SplitN(first, "\n", 2)[0], "warning:"); {
			_, first, _ = strings.Cut(first, "\n")
		}
		if ok || !strings.HasPrefix(first, test.want) {
			t.Errorf("%q: found %t and\n%s", test.text, ok, first)
		}
	}
}

// The points of DRES are those of a template that says nothing.
func TestDefaultPoints(t *testing.T) {
	const least = `{"name": "x", "more": 1, "taskTypes": [{"name": "K", "scoreOption": "KIS", "targetOption": "SINGLE_MEDIA_ITEM"}],
		"tasks": [{"name": "a", "taskType": "K", "duration": 60, "targets": [{"type": "MEDIA_ITEM", "target": "i", "item": {"mediaItemId": "i", "name": "V1"}}]}]}`
	c, diags, ok := read(least)
	if !ok || c.Points != (dresfile.Points{Max: 1000, End: 500, Penalty: 100}) || len(c.Questions) != 1 || c.Questions[0].TimeLimit != 60 {
		t.Errorf("found %+v\n%s", c, diags.Text())
	}
}

func FuzzReadContest(f *testing.F) {
	f.Add(template(f))
	f.Add(`{"name": "x", "tasks": [{"name": "a", "targets": [{"type": "MEDIA_ITEM", "target": "i"}]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, diags, ok := read(text)
		if ok != (c != nil) || ok != diags.OK() {
			t.Fatalf("%q: %t, %v, %s", text, ok, c, diags.Text())
		}
		if !ok {
			return
		}
		var none diag.List
		if _, ok := setup.Parse(strict.NewSource("contest.yaml", bytes.NewReader(c.YAML("questions.csv")), 0), &none); !ok && len(c.YAML("x")) < strict.MaxTreeBytes {
			t.Fatalf("%s\n%s", c.YAML("questions.csv"), none.Text())
		}
		var table bytes.Buffer
		if err := retrieval.WriteGroundTruth(&table, c.Questions); err != nil {
			t.Fatal(err)
		}
		if again, ok := retrieval.ParseGroundTruth(strict.NewSource("questions.csv", bytes.NewReader(table.Bytes()), 0), &none); !ok || len(again) != len(c.Questions) {
			t.Fatalf("%q\n%s\n%s", text, table.String(), none.Text())
		}
	})
}
