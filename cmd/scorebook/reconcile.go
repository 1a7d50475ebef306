package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"scorebook/contest"
	"scorebook/internal/cli"
	"scorebook/internal/service"
	"scorebook/retrieval"
)

// reconcile holds what was given against what the journal says. The journal
// decides what is played. What it has never seen is refused; what was in force
// before something else was put in is told and left.
func (r *running) reconcile(ctx context.Context, past *past) error {
	var differs, older []string
	r.svc.Read(func(state *contest.State) {
		if given, played := r.plan.open.Rules, state.Rules(); r.plan.ruled && played != given {
			note(&differs, &older, past.rules[given.Digest()], fmt.Sprintf("rules: found %q with the digest %.12s, expected %q with %.12s", given.Name, given.Digest(), played.Name, played.Digest()))
		}
		if given := r.plan.open.Questions; len(given) > 0 {
			if ids := differentQuestions(state.Questions(), given); ids != "" {
				note(&differs, &older, past.hadQuestions(given), "ground truth: other "+ids)
			}
		}
	})
	if len(differs) > 0 {
		return cli.Usage("%s plays with other %s\n    hint: leave out what differs to go on as before, or put it in with scorebook rescore --db %s --apply, which scores everything again",
			shown(r.serving.db), strings.Join(differs, "; "), shown(r.serving.db))
	}
	for _, what := range older {
		r.logger.Warn("what was given has been replaced since, and the contest goes on with what replaced it", "db", shown(r.serving.db), "given", what)
	}
	// What was last configured counts, not what is in force: an organiser who has
	// closed the registration since does not want it open after a restart.
	if !r.plan.configured || reflect.DeepEqual(r.plan.open.Settings, past.settings) {
		return nil
	}
	_, err := r.svc.Do(ctx, contest.Configure{Settings: r.plan.open.Settings}, r.svc.Now())
	return err
}

// note adds a difference to those that are refused, or to those that are only
// told.
func note(refused, told *[]string, wasInForce bool, difference string) {
	list := refused
	if wasInForce {
		list = told
	}
	*list = append(*list, difference)
}

// differentQuestions tells which questions of two tables are not the same, or
// "" if all are.
func differentQuestions(played, given []retrieval.Question) string {
	const most = 5
	before := map[retrieval.QuestionID]retrieval.Question{}
	for _, q := range played {
		before[q.ID] = q
	}
	var ids []string
	for _, q := range given {
		if was, ok := before[q.ID]; !ok || !reflect.DeepEqual(q, was) {
			ids = append(ids, string(q.ID))
		}
		delete(before, q.ID)
	}
	for _, q := range played {
		if _, missing := before[q.ID]; missing {
			ids = append(ids, string(q.ID))
		}
	}
	switch n := len(ids); {
	case n == 0 && !reflect.DeepEqual(played, given):
		return "order of the questions"
	case n == 0:
		return ""
	case n > most:
		return fmt.Sprintf("questions %s and %d more", strings.Join(ids[:most], ", "), n-most)
	}
	return "questions " + strings.Join(ids, ", ")
}

// addTeams registers the teams of the list that are missing: a team that has got
// another name since is not. Each token is told at once, since nothing else
// knows it afterwards.
func (r *running) addTeams(ctx context.Context, past *past) (failed error) {
	var missing []plannedTeam
	for _, team := range r.plan.teams {
		if !past.names[contest.NameKey(team.name)] {
			missing = append(missing, team)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	out := r.Stdout
	if r.serving.tokens != "" {
		file, err := r.tokensFile()
		if err != nil {
			return err
		}
		defer func() { failed = errors.Join(failed, file.Sync(), file.Close()) }()
		out = file
		r.say("tokens of the teams are in %s", r.serving.tokens)
	} else {
		r.say("tokens of the teams, shown only now:")
	}
	for _, team := range missing {
		name, token := team.name, newToken()
		_, err := r.svc.Do(ctx, contest.Register{
			ID: contest.TeamID(newID()), Name: name, TokenHash: service.HashToken(token), Organiser: true,
		}, r.svc.Now())
		var refused *contest.Reject
		if r.clock != nil && errors.As(err, &refused) && refused.Code == contest.NameTaken {
			r.say("%s is registered by another server, which tells its token", name)
			continue
		}
		if err != nil {
			return fmt.Errorf("add the team %q: %w", name, err)
		}
		if _, err := fmt.Fprintf(out, "%s  %s\n", token, name); err != nil {
			return fmt.Errorf("tell the token of the team %q: %w; make a new one with scorebook token rotate --db %s --team", name, err, shown(r.serving.db))
		}
	}
	return nil
}

// setPasswords gives the teams of the list the passwords that stand there, where
// they are not theirs yet. A team that has got another name since keeps what it
// has.
func (r *running) setPasswords(ctx context.Context) error {
	for _, planned := range r.plan.teams {
		if planned.password == "" {
			continue
		}
		var team contest.Team
		var ok bool
		r.svc.Read(func(state *contest.State) { team, ok = state.TeamByName(planned.name) })
		if !ok {
			continue
		}
		if same, err := r.passwords.Check(ctx, team.ID, planned.password); err == nil && same {
			continue
		}
		if err := r.passwords.Set(ctx, team.ID, planned.password); err != nil {
			return fmt.Errorf("set the password of the team %q: %w", planned.name, err)
		}
	}
	return nil
}

// tokensFile opens the file that tokens are added to, for its owner only.
func (r *running) tokensFile() (*os.File, error) {
	path := r.serving.tokens
	if info, err := os.Stat(path); err == nil {
		for _, input := range r.Inputs {
			if os.SameFile(info, input) {
				return nil, cli.Usage("--tokens %s is one of the inputs: name another file", path)
			}
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("write the tokens of the teams: %w", err)
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = file.Chmod(0o600) // it may have been there
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write the tokens of the teams: %w", err), file.Close())
	}
	return file, nil
}
