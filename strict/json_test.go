package strict_test

import (
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/strict"
)

var codeShape = diag.Define("test/shape", diag.Error, "a value of the wrong kind", "give another")

type thing struct {
	name   string
	number strict.Number
	flag   bool
}

// readThings reads a list of objects with three known names.
func readThings(text string, others bool) ([]thing, *diag.List) {
	var diags diag.List
	j := strict.NewJSON(strict.NewSource("in.json", strings.NewReader(text), 0), &diags, codeShape)
	var things []thing
	var t thing
	shape := strict.NewShape("thing",
		strict.Field{Name: "name", Read: func(j *strict.JSON) { t.name, _, _ = j.String("name") }},
		strict.Field{Name: "number", Optional: true, Read: func(j *strict.JSON) { t.number, _, _ = j.Number(codeShape, "number") }},
		strict.Field{Name: "flag", Optional: true, Read: func(j *strict.JSON) { t.flag, _, _ = j.Bool(codeShape, "flag") }},
	)
	shape.Others = others
	j.Array("list", func(int) {
		t = thing{}
		if _, ok := j.Object(shape); ok {
			things = append(things, t)
		}
	})
	j.End()
	return things, &diags
}

func TestJSONFaults(t *testing.T) {
	tests := []struct {
		name, text, want string
		others           bool
	}{
		{"empty file", ``, "in.json:1:1: json/syntax", false},
		{"white space only", " \n ", "in.json:2:2: json/syntax", false},
		{"cut off", "[{\"name\":\"a\"\n", "in.json:2:1: json/syntax", false},
		{"something behind", "[]\n[]", "in.json:2:1: json/syntax", false},
		{"no comma", `[{"name":"a"} {"name":"b"}]`, "in.json:1:15: json/syntax", false},
		{"wrong bracket", `[{"name":"a"]`, "in.json:1:13: json/syntax", false},
		{"not UTF-8", "[{\"name\":\"\xff\"}]", "in.json:1:11: json/syntax", false},
		{"NaN", `[{"name":"a","number":NaN}]`, "in.json:1:23: json/not-a-number", false},
		{"Infinity", "[{\"name\":\"a\",\n\"number\":Infinity}]", "in.json:2:10: json/not-a-number", false},
		{"-Infinity", `[{"name":"a","number":-Infinity}]`, "in.json:1:23: json/not-a-number", false},
		{"duplicate known", `[{"name":"a","name":"b"}]`, "in.json:1:14: json/duplicate-key", false},
		{"duplicate escaped", `[{"name":"a","\u006eame":"b"}]`, "in.json:1:14: json/duplicate-key", false},
		{"duplicate unknown", `[{"name":"a","x":1,"x":2}]`, "in.json:1:20: json/duplicate-key", true},
		{"duplicate deep", `[{"name":"a","x":[{"y":1,"y":2}]}]`, "in.json:1:26: json/duplicate-key", true},
		{"unknown", `[{"name":"a","nmae":1}]`, "in.json:1:14: json/unknown-key", false},
		{"other case", `[{"name":"a","Number":1}]`, "in.json:1:14: json/key-case", true},
		{"missing", `[{"number":1}]`, "in.json:1:2: test/shape", false},
		{"string for number", `[{"name":"a","number":"1"}]`, "in.json:1:23: test/shape", false},
		{"null for number", `[{"name":"a","number":null}]`, "in.json:1:23: test/shape", false},
		{"object for string", `[{"name":{"a":1}}]`, "in.json:1:10: test/shape", false},
		{"number for object", "[\n 7]", "in.json:2:2: test/shape", false},
		{"object for array", "{}", "in.json:1:1: test/shape", false},
		{"overflow", `[{"name":"a","number":1e999}]`, "in.json:1:23: test/shape", false},
		{"underflow", `[{"name":"a","number":1e-400}]`, "in.json:1:23: test/shape", false},
		{"exponent without end", `[{"name":"a","x":1e999999999999999999}]`, "in.json:1:18: json/number-range", true},
		{"long number", `[{"name":"a","number":` + strings.Repeat("1", 3000) + `}]`, "in.json:1:23: test/shape", false},
		{"columns count bytes", `[{"name":"ệ","nmae":1}]`, "in.json:1:16: json/unknown-key", false},
		{"byte order mark", "\ufeff[{\"nmae\":1,\"name\":\"a\"}]", "in.json:1:3: json/unknown-key", false},
		{"CRLF", "[\r\n{\"nmae\":1,\"name\":\"a\"}]", "in.json:2:2: json/unknown-key", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, diags := readThings(test.text, test.others)
			var got []string
			for _, d := range diags.Kept() {
				got = append(got, d.Pos.String()+": "+d.Code.String())
			}
			if len(got) != 1 || got[0] != test.want {
				t.Errorf("got %q, want only %q\n%s", got, test.want, diags.Text())
			}
		})
	}
}

func TestJSONReadsOn(t *testing.T) {
	things, diags := readThings(`[
		{"name": "a", "number": "1"},
		{"name": 2, "nmae": 3},
		{"flag": null},
		{"name": "d", "number": 1.50e+00, "flag": true}
	]`, false)
	if diags.Errors() != 5 {
		t.Errorf("found %d faults, want 5:\n%s", diags.Errors(), diags.Text())
	}
	if last := things[len(things)-1]; last != (thing{"d", "1.50e+00", true}) {
		t.Errorf("the last thing is %+v", last)
	}
}

func TestJSONCountsWhatItDoesNotKeep(t *testing.T) {
	_, diags := readThings("["+strings.Repeat(`{"nmae":1},`, 500)+`{"name":"z"}]`, false)
	if got := len(diags.Kept()); got != diag.MaxKept {
		t.Errorf("kept %d, want %d", got, diag.MaxKept)
	}
	if diags.Errors() != 1000 { // the name is unknown and the known one missing
		t.Errorf("counted %d, want 1000", diags.Errors())
	}
	if text := diags.Text(); !strings.HasSuffix(text, "and 900 more\n") {
		t.Errorf("the end does not say how many are left out: %q", text[len(text)-40:])
	}
}

func TestJSONTooLarge(t *testing.T) {
	var diags diag.List
	text := `["` + strings.Repeat("a", 100) + `"]`
	for _, test := range []struct {
		max    int64
		errors int
	}{{int64(len(text)), 0}, {int64(len(text)) - 1, 1}} {
		diags = diag.List{}
		j := strict.NewJSON(strict.NewSource("in.json", strings.NewReader(text), test.max), &diags, codeShape)
		j.Skip()
		j.End()
		if diags.Errors() != test.errors {
			t.Errorf("bound %d on %d bytes: %d faults, want %d:\n%s", test.max, len(text), diags.Errors(), test.errors, diags.Text())
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"instance", "status", "solved"}
	for name, want := range map[string]string{"instnace": "instance", "Status": "status", "solve": "solved", "zzz": "", "": ""} {
		if got, _ := strict.Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-0": true, "12": true, "1.5e-3": true, "5e-324": true, "1.7976931348623157e308": true, "0e999999999": true,
		"": false, "01": false, "+1": false, ".5": false, "1.": false, "0x10": false, "NaN": false, "0,25": false, " 1": false, "1e": false,
		"1e999": false, "1e-999999999": false, "1_000": false, "-": false,
	} {
		if _, ok := strict.ParseNumber(text); ok != want {
			t.Errorf("ParseNumber(%q) is %v, want %v", text, ok, want)
		}
	}
}
