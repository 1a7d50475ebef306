package strict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"scorebook/diag"
	"scorebook/strict"
)

// readRows reads the columns a and b.
func readRows(text string) ([][2]string, *diag.List) {
	var diags diag.List
	c, ok := strict.NewCSV(strict.NewSource("in.csv", strings.NewReader(text), 0), &diags, []string{"a", "b"})
	if !ok {
		return nil, &diags
	}
	var rows [][2]string
	for c.Next() {
		rows = append(rows, [2]string{c.Field(0), c.Field(1)})
	}
	return rows, &diags
}

func TestCSVRows(t *testing.T) {
	want := [][2]string{{"1", "2"}, {"", "x,\"y\"\nz"}}
	for name, text := range map[string]string{
		"plain":                   "a,b\n1,2\n,\"x,\"\"y\"\"\nz\"\n",
		"no line end at the end":  "a,b\n1,2\n,\"x,\"\"y\"\"\nz\"",
		"CRLF":                    "a,b\r\n1,2\r\n,\"x,\"\"y\"\"\r\nz\"\r\n",
		"byte order mark":         "\ufeffa,b\n1,2\n,\"x,\"\"y\"\"\nz\"\n",
		"mark before a quote":     "\ufeff\"a\",b\n1,2\n,\"x,\"\"y\"\"\nz\"\n",
		"other order, one more":   "b,other,a\n2, any ,1\n\"x,\"\"y\"\"\nz\",,\n",
		"lines with nothing":      "a,b\n\n1,2\n\n,\"x,\"\"y\"\"\nz\"\n\n",
		"doubled unwanted column": "a,c,b,c\n1,,2,\n,,\"x,\"\"y\"\"\nz\",\n",
	} {
		t.Run(name, func(t *testing.T) {
			rows, diags := readRows(text)
			if !diags.OK() || !slices.Equal(rows, want) {
				t.Errorf("got %q, want %q\n%s", rows, want, diags.Text())
			}
		})
	}
}

func TestCSVFaults(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty file", "", []string{"1:1: csv/header"}},
		{"missing column", "a,c\n1,2\n", []string{"1:1: csv/header"}},
		{"other case", "A,b\n1,2\n", []string{"1:1: csv/header"}},
		{"doubled column", "a,b,a\n1,2,3\n", []string{"1:5: csv/header"}},
		{"blank in the header", "a, b\n1,2\n", []string{"1:3: csv/whitespace"}},
		{"short row", "a,b\n1\n1,2\n", []string{"2:1: csv/syntax"}},
		{"long row", "a,b\n1,2,3\n", []string{"2:1: csv/syntax"}},
		{"blanks", "a,b\n 1,2\t\n", []string{"2:1: csv/whitespace", "2:4: csv/whitespace"}},
		{"quote inside", "a,b\n1,2\"3\n1,2\n4 ,5\n", []string{"2:4: csv/syntax", "4:1: csv/whitespace"}},
		{"quote left open", "a,b\n1,\"2\n3,4\n", []string{"3:5: csv/syntax"}},
		{"carriage return alone", "a,b\r1,2\r", []string{"1:4: csv/syntax"}},
		{"carriage return at the end", "a,b\n1,2\r", []string{"2:4: csv/syntax"}},
		{"carriage return in quotes", "a,b\n1,\"2\r3\"\n", []string{"2:5: csv/syntax"}},
		{"not UTF-8", "a,b\n1,\xff\n", []string{"2:3: csv/encoding"}},
		{"all at once", "a,b\n1\n 1,2\n1,2,3\n", []string{"2:1: csv/syntax", "3:1: csv/whitespace", "4:1: csv/syntax"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, diags := readRows(test.text)
			var got []string
			for _, d := range diags.Kept() {
				got = append(got, strings.TrimPrefix(d.Pos.String(), "in.csv:")+": "+d.Code.String())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q\n%s", got, test.want, diags.Text())
			}
		})
	}
}

func TestCSVOptionalColumns(t *testing.T) {
	for _, test := range []struct {
		name, text, want string // the optional field of each row and where it begins
	}{
		{"there", "a,opt\n1,x\n2,\n", `"x" 2:3 "" 3:3 `},
		{"in front", "opt,a\nx,1\n", `"x" 2:1 `},
		{"not there", "a\n1\n2\n", `"" 2:1 "" 3:1 `},
		{"twice", "a,opt,opt\n1,x,y\n", "1:7: csv/header"},
		{"only it", "opt\nx\n", "1:1: csv/header"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var diags diag.List
			c, ok := strict.NewCSV(strict.NewSource("in.csv", strings.NewReader(test.text), 0), &diags, []string{"a"}, "opt")
			var got strings.Builder
			for ok && c.Next() {
				fmt.Fprintf(&got, "%q %d:%d ", c.Field(1), c.Place(1).Line, c.Place(1).Column)
			}
			for _, d := range diags.Kept() {
				fmt.Fprintf(&got, "%d:%d: %s", d.Pos.Line, d.Pos.Column, d.Code)
			}
			if got.String() != test.want {
				t.Errorf("got %s, want %s", got.String(), test.want)
			}
		})
	}
}
