package main

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"scorebook/diag"
	"scorebook/internal/cli"
	"scorebook/retrieval"
	"scorebook/strict"
)

// explanation is the command line of explain.
type explanation struct {
	kind, points, values, text, answer, accept, rules string
	elapsed, limit                                    float64
	wrong                                             int
	json                                              bool
}

func (a *app) explainCommand() *cobra.Command {
	var e explanation
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Score one answer and show the arithmetic, without a server",
		Long: `Scores one answer against one question under a ruleset, and shows every step of
the arithmetic. The answer is a list of values, or a text as teams send it.`,
		Example: `  scorebook explain --type TR --points 9925,9975,10000,10050 --values 9950,10020 --elapsed 30
  scorebook explain --type QA --points 340000,380000 --text QA-MOCCHAU-V003-360000 --accept MOCCHAU --elapsed 45 --wrong 1`,
		Args: cli.Arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.explain(cmd, e) },
	}
	flags := cmd.Flags()
	flags.StringVar(&e.kind, "type", "", "type of the question: KIS, QA or TR")
	flags.StringVar(&e.points, "points", "", "ground truth: start and end of every event, in ms, for TR in frames")
	flags.StringVar(&e.values, "values", "", "the answer as values, separated by commas")
	flags.StringVar(&e.text, "text", "", "the answer as a team sends it, such as TR-V017-4945,5010")
	flags.StringVar(&e.answer, "answer", "", "QA: what the team answered in words, with --values")
	flags.StringVar(&e.accept, "accept", "", "QA: the accepted answers, separated by | (default: what the team answered)")
	flags.Float64Var(&e.elapsed, "elapsed", 0, "seconds from the start of the question to the arrival of the answer")
	flags.Float64Var(&e.limit, "time-limit", 0, "seconds (default: that of the rules)")
	flags.IntVar(&e.wrong, "wrong", 0, "wrong attempts of the team before this one")
	flags.StringVar(&e.rules, "rules", retrieval.DefaultPreset, "a preset or a file")
	flags.BoolVar(&e.json, "json", false, "as JSON")
	cli.Required(cmd, "type", "points")
	return cmd
}

func (a *app) explain(cmd *cobra.Command, e explanation) error {
	rules, err := a.rules(cmd.Context(), e.rules)
	if err != nil || !a.Diags.OK() {
		return err
	}
	question, err := e.question()
	if err != nil {
		return err
	}
	answer, err := e.sent(&question)
	if err != nil {
		return err
	}
	if question.Type == retrieval.QA && e.accept == "" {
		question.Answers = []string{answer.Text}
	}
	limit := rules.LimitOf(&question)
	if cmd.Flags().Changed("time-limit") {
		limit = e.limit
	}
	for name, value := range map[string]float64{"--elapsed": e.elapsed, "--time-limit": limit} {
		if !(value >= 0 && value <= 86400) {
			return cli.Usage("%s: found %v, expected 0 to 86400 seconds", name, value)
		}
	}
	if e.wrong < 0 {
		return cli.Usage("--wrong: found %d, expected 0 or more", e.wrong)
	}
	told := retrieval.Explain(&rules, &question, &answer, retrieval.Circumstances{
		Elapsed: seconds(e.elapsed), TimeLimit: seconds(limit), Wrong: e.wrong,
	})
	if last := limit + rules.Buffer; e.elapsed > last {
		if _, err := fmt.Fprintf(a.Stderr, "scorebook: note: a server takes no answer after %v s, time limit and buffer together\n", last); err != nil {
			return fmt.Errorf("write stderr: %w", err)
		}
	}
	if !e.json {
		return a.Tell("", told.Text())
	}
	out := json.NewEncoder(a.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(told)
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }

// question makes the question that the flags describe.
func (e *explanation) question() (q retrieval.Question, err error) {
	var diags diag.List
	row := []string{"1", e.kind, "", "V", e.points, e.accept, "", ""}
	questions, ok := retrieval.ParseGroundTruth(strict.NewSource("--type, --points, --accept", csvOf(retrieval.GroundTruthColumns, row), 0), &diags)
	if !ok {
		return q, cli.Usage("%s", firstMessage(&diags))
	}
	return questions[0], nil
}

// sent makes the answer that the flags describe, and gives the question the
// video that the answer names: only the values and the words are judged here.
func (e *explanation) sent(q *retrieval.Question) (answer retrieval.Answer, err error) {
	switch {
	case (e.values == "") == (e.text == ""):
		return answer, cli.Usage("expected --values or --text, and not both")
	case e.text != "":
		if e.answer != "" {
			return answer, cli.Usage("--answer goes with --values: the text holds the answer")
		}
		answer, err = retrieval.InterpretText(e.text, q.Type)
	default:
		answer, err = retrieval.InterpretText(map[retrieval.Type]string{retrieval.KIS: "V-", retrieval.QA: "QA-x-V-", retrieval.TR: "TR-V-"}[q.Type]+e.values, q.Type)
		answer.Text = e.answer
	}
	if err != nil {
		return answer, cli.Usage("%w", err)
	}
	q.Scene, q.Video = answer.Scene, answer.Video
	return answer, nil
}
