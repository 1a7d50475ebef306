package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"scorebook/contest"
)

// types are the events by their kind.
var types = func() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, event := range contest.Kinds() {
		types[event.Kind()] = reflect.TypeOf(event)
	}
	return types
}()

var submissionKind = contest.SubmissionJudged{}.Kind()

// Encode returns the record of an event behind a record with the given hash.
// Equal events at equal places give equal bytes.
func Encode(r contest.Recorded, previous Hash) (Record, error) {
	if !time.Unix(0, r.At.UnixNano()).Equal(r.At) {
		return Record{}, fmt.Errorf("event %d (%s) is of %s: no nanosecond of the years 1678 to 2262", r.Seq, r.Event.Kind(), r.At)
	}
	data, err := encode(r.Event)
	if err != nil {
		return Record{}, fmt.Errorf("event %d (%s): %w", r.Seq, r.Event.Kind(), err)
	}
	record := Record{Seq: r.Seq, At: r.At.UTC(), Kind: r.Event.Kind(), Version: Version, Data: data}
	record.Hash = record.Sum(previous)
	return record, nil
}

func encode(event contest.Event) ([]byte, error) {
	if submission, ok := event.(contest.SubmissionJudged); ok {
		if data, ok := appendSubmission(make([]byte, 0, len(submission.Body)+600), &submission); ok {
			return data, nil
		}
	}
	var data bytes.Buffer
	encoder := json.NewEncoder(&data)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(event)
	return bytes.TrimSuffix(data.Bytes(), []byte("\n")), err
}

// Decode returns the event of a record. What it does not know, in the format or
// in the event, is an error: left out, it would change what happened.
func Decode(r Record) (contest.Recorded, error) {
	if r.Version != Version {
		return contest.Recorded{}, fmt.Errorf("record %d has format version %d, expected %d: if a newer scorebook wrote it, use that one", r.Seq, r.Version, Version)
	}
	kind, ok := types[r.Kind]
	if !ok {
		return contest.Recorded{}, fmt.Errorf("record %d is of the unknown kind %q: if a newer scorebook wrote it, use that one", r.Seq, r.Kind)
	}
	if r.Kind == submissionKind {
		if submission, ok := readSubmission(r.Data); ok {
			return contest.Recorded{Seq: r.Seq, At: r.At, Event: submission}, nil
		}
	}
	event := reflect.New(kind)
	if err := unmarshal(r.Data, event.Interface()); err != nil {
		return contest.Recorded{}, fmt.Errorf("record %d (%s) cannot be read: %w; if a newer scorebook wrote it, use that one", r.Seq, r.Kind, err)
	}
	return contest.Recorded{Seq: r.Seq, At: r.At, Event: event.Elem().Interface().(contest.Event)}, nil
}

// unmarshal reads one JSON object, without keys that the value does not have.
func unmarshal(data []byte, value any) error {
	if !bytes.HasPrefix(data, []byte("{")) {
		return fmt.Errorf("found %.20q, expected an object", data)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return err
	}
	if rest := data[decoder.InputOffset():]; len(rest) > 0 {
		return fmt.Errorf("found %.20q behind the object, expected its end", rest)
	}
	return nil
}
