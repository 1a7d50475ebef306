package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

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

// Encode returns the record of an event behind a record with the given hash.
func Encode(r contest.Recorded, previous Hash) (Record, error) {
	var data bytes.Buffer
	encoder := json.NewEncoder(&data)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r.Event); err != nil {
		return Record{}, fmt.Errorf("event %d (%s): %w", r.Seq, r.Event.Kind(), err)
	}
	record := Record{
		Seq: r.Seq, At: r.At.UTC(), Kind: r.Event.Kind(), Version: Version,
		Data: bytes.TrimSuffix(data.Bytes(), []byte("\n")),
	}
	record.Hash = record.Sum(previous)
	return record, nil
}

// Decode returns the event of a record.
func Decode(r Record) (contest.Recorded, error) {
	if r.Version < 1 || r.Version > Version {
		return contest.Recorded{}, fmt.Errorf("record %d has format version %d, expected 1 to %d: a newer scorebook wrote it, use that one", r.Seq, r.Version, Version)
	}
	kind, ok := types[r.Kind]
	if !ok {
		return contest.Recorded{}, fmt.Errorf("record %d is a %q, which this program does not know: a newer scorebook wrote it, use that one", r.Seq, r.Kind)
	}
	event := reflect.New(kind)
	decoder := json.NewDecoder(bytes.NewReader(r.Data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(event.Interface()); err != nil {
		return contest.Recorded{}, fmt.Errorf("record %d (%s) cannot be read: %w", r.Seq, r.Kind, err)
	}
	return contest.Recorded{Seq: r.Seq, At: r.At, Event: event.Elem().Interface().(contest.Event)}, nil
}
