package strict_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"scorebook/diag"
	"scorebook/internal/testkit"
)

// checkPositions fails for a fault outside the text.
func checkPositions(t *testing.T, text string, diags *diag.List) {
	t.Helper()
	for _, d := range diags.Kept() {
		if !testkit.Inside(text, d.Pos.Line, d.Pos.Column) {
			t.Errorf("the text ends before %s", d.Text())
		}
		for _, r := range d.Related {
			if !testkit.Inside(text, r.Pos.Line, r.Pos.Column) {
				t.Errorf("the text ends before the related place of %s", d.Text())
			}
		}
	}
}

func encodeThings(t *testing.T, things []thing) string {
	t.Helper()
	var b strings.Builder
	for _, thing := range things {
		name, err := jsontext.AppendQuote(nil, thing.name)
		if err != nil {
			t.Fatalf("a name that was read cannot be written: %v", err)
		}
		fmt.Fprintf(&b, `,{"name":%s,"flag":%s`, name, strconv.FormatBool(thing.flag))
		if thing.number != "" {
			fmt.Fprintf(&b, `,"number":%s`, thing.number)
		}
		b.WriteString("}")
	}
	return "[" + strings.TrimPrefix(b.String(), ",") + "]"
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		``, `[]`, `[{"name":"a","number":1.5e3,"flag":true}]`, "\ufeff[\r\n{\"name\":\"\\u00e9\\\\\"}\r\n]\r\n",
		`[{"name":"a","name":"b"}]`, `[{"name":"a","other":[{"x":1,"x":2},1e999]}]`, `[{"name":"a","number":-Infinity}]`,
		`[{"Name":1}]`, `[[[[`, `[{"name":`, `[1,"a",null,{},[]]`, "[{\"name\":\"\xff\"}]", `{"name":"a"}`, `[{}]x`,
		`[{"name":"a","number":1e-999999999}]`, `[{"name":{"a":{"b":[]}}}]`, "[\n\n\n", `[{"name":"\ud800"}]`,
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, others bool) {
		things, diags := readThings(text, others)
		checkPositions(t, text, diags)
		if !diags.OK() {
			return
		}
		encoded := encodeThings(t, things)
		again, diags := readThings(encoded, false)
		if !diags.OK() || !slices.Equal(things, again) {
			t.Fatalf("%s reads as %+v, not %+v\n%s", encoded, again, things, diags.Text())
		}
		if twice := encodeThings(t, again); twice != encoded {
			t.Fatalf("%s is written as %s the second time", encoded, twice)
		}
	})
}

func encodeRows(t *testing.T, rows [][2]string) string {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	all := [][]string{{"a", "b"}}
	for _, r := range rows {
		all = append(all, r[:])
	}
	if err := w.WriteAll(all); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		"", "a,b\n", "a,b\n1,2\n", "\ufeff\"a\",b\r\n1,\"x\r\ny\"\r\n", "b,c,a\n1,2,3\n", "a,b\r1,2\r", "a,b\n1\n 1,2\n1,\"2\n",
		"a,b\n1,\"2\"3\n", "a,b,a\n", "a, b\n", "A,B\n", "a,b\n\n\n1,2", "a,b\n1,\xff\n", "a,b\n1,2\r", "\"\n\n", "a,b\n,\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, diags := readRows(text)
		checkPositions(t, text, diags)
		if !diags.OK() {
			return
		}
		encoded := encodeRows(t, rows)
		again, diags := readRows(encoded)
		if !diags.OK() || !slices.Equal(rows, again) {
			t.Fatalf("%q reads as %q, not %q\n%s", encoded, again, rows, diags.Text())
		}
		if twice := encodeRows(t, again); twice != encoded {
			t.Fatalf("%q is written as %q the second time", encoded, twice)
		}
	})
}
