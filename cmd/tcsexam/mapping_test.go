package main

import (
	"maps"
	"testing"

	"scorebook/exam"
)

func TestMappings(t *testing.T) {
	for _, test := range []struct {
		values []string
		want   map[string]string // nil: refused
	}{
		{nil, map[string]string{}},
		{[]string{"Optimal=ok"}, map[string]string{"Optimal": "ok"}},
		{[]string{"a=ok,b=timeout", "c=crash"}, map[string]string{"a": "ok", "b": "timeout", "c": "crash"}},
		{[]string{"gap=0.1=ok"}, map[string]string{"gap=0.1": "ok"}},
		{[]string{"Time limit, reached=timeout"}, map[string]string{"Time limit, reached": "timeout"}},
		{[]string{`"x"=ok`}, map[string]string{`"x"`: "ok"}},
		{[]string{"=ok"}, map[string]string{"": "ok"}},
		{[]string{"a=ok", "a=ok"}, map[string]string{"a": "ok"}},
		{[]string{"a=ok", "a=timeout"}, nil},
		{[]string{"a"}, nil},
		{[]string{"a=OK"}, nil},
		{[]string{"a=okay"}, nil},
		{[]string{"a=ok,b"}, nil},
		{[]string{"a=not_run"}, nil},
	} {
		got, err := mappings("map", test.values, outcomes)
		if (err != nil) != (test.want == nil) || err == nil && !maps.Equal(got, test.want) {
			t.Errorf("%q gives %v and %v, want %v", test.values, got, err, test.want)
		}
	}
	if _, err := mappings("map-value", []string{"inf=ok"}, exam.Failures); err == nil {
		t.Error("a value that is no outcome counts as ok")
	}
}
