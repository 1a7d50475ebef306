package webui_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"scorebook/contest"
	"scorebook/retrieval"
)

func messages(t *testing.T, lang string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("locales", lang+".json"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// Both languages say the same things, with the same arguments.
func TestLanguagesHaveTheSameMessages(t *testing.T) {
	verb := regexp.MustCompile(`%(\[\d+\])?[a-z]|\{\d\}`)
	arguments := func(text string) string {
		found := verb.FindAllString(text, -1)
		slices.Sort(found)
		return strings.Join(found, " ")
	}
	en, vi := messages(t, "en"), messages(t, "vi")
	for key, text := range en {
		other, ok := vi[key]
		switch {
		case strings.HasSuffix(key, ".one"): // Vietnamese has no plural
			if ok {
				t.Errorf("vi: %s: found a form for the number 1, expected none", key)
			}
			if arguments(text) != arguments(en[strings.TrimSuffix(key, ".one")]) {
				t.Errorf("en: %s has other arguments than the form for several", key)
			}
		case !ok:
			t.Errorf("vi: %s is missing", key)
		case arguments(text) != arguments(other):
			t.Errorf("%s: found the arguments %q in vi, expected %q", key, arguments(other), arguments(text))
		case strings.TrimSpace(other) == "" || strings.TrimSpace(text) == "":
			t.Errorf("%s is empty", key)
		}
	}
	for key := range vi {
		if _, ok := en[key]; !ok {
			t.Errorf("en: %s is missing", key)
		}
	}
}

// Every message that a page asks for is there, and every one that is there is
// asked for.
func TestMessagesAreUsed(t *testing.T) {
	en := messages(t, "en")
	asked := map[string]bool{}
	ask := func(key, where string) {
		asked[key], asked[key+".one"] = true, true
		if _, ok := en[key]; !ok {
			t.Errorf("%s asks for the message %q, which is missing", where, key)
		}
	}
	literal := map[string]*regexp.Regexp{
		"templates/*.html": regexp.MustCompile(`\b[tn] "([\w.]+)"`),
		"*.go":             regexp.MustCompile(`"([a-z]+\.\w+(?:\.\w+)*)"`),
	}
	for pattern, call := range literal {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range call.FindAllStringSubmatch(string(text), -1) {
				if _, ok := en[m[1]]; ok || pattern != "*.go" || strings.Contains(string(text), `say("`+m[1]) {
					ask(m[1], file)
				}
			}
		}
	}
	families := map[string][]string{
		"status": {"pending", "running", "buffer", "ended", "revealed"}, "registration": {"open", "code", "closed", "always"},
		"type": {string(retrieval.KIS), string(retrieval.QA), string(retrieval.TR)}, "jury": {"full", "partial", "incorrect", "void", "computed"},
		"why.mismatch": {"video", "scene", "answer"}, "desk.form": {"kis", "qa", "tr"},
		"verdict": {"full", "partial", "wrong", "void", "voided", "superseded"},
	}
	for _, event := range contest.Kinds() {
		if kind := event.Kind(); kind != (contest.SubmissionJudged{}).Kind() {
			families["activity"] = append(families["activity"], kind)
		}
	}
	families["activity"] = append(families["activity"], "team_banned.not", "question_voided.not", "contest_reset.teams")
	for family, words := range families {
		for _, word := range words {
			ask(family+"."+word, "a family of messages")
		}
	}
	codes := map[string]bool{}
	for _, code := range contest.Codes() {
		codes["reject."+string(code)] = true // those without a message are shown in English
	}
	for key := range en {
		if !asked[key] && !codes[key] {
			t.Errorf("nothing asks for the message %s", key)
		}
	}
}
