package journaltest

import (
	"fmt"
	"reflect"
	"time"

	"scorebook/contest"
)

// Epoch is the time of the first event.
var Epoch = time.Date(2026, 1, 17, 12, 0, 0, 1, time.UTC)

// Events returns n events behind a number, of changing kinds, one each second.
func Events(after contest.Seq, n int) []contest.Recorded {
	events := make([]contest.Recorded, n)
	for i := range events {
		seq := after + contest.Seq(i) + 1
		var event contest.Event = contest.TeamRenamed{Team: "t", Name: fmt.Sprintf("name %d: <é> & \u2028", seq)}
		if seq%2 == 0 {
			event = contest.SubmissionJudged{Team: "t", Question: "1", Round: 1, Arrived: at(seq), Body: fmt.Sprintf(`{"answer": %d}`, seq)}
		}
		events[i] = contest.Recorded{Seq: seq, At: at(seq), Event: event}
	}
	return events
}

func at(seq contest.Seq) time.Time { return Epoch.Add(time.Duration(seq) * time.Second) }

// Large returns an event whose record holds a body of that many bytes.
func Large(seq contest.Seq, bytes int) contest.Recorded {
	body := make([]byte, bytes)
	for i := range body {
		body[i] = " \x00\"<é世"[(i*7)%6] & 0x7f
	}
	return contest.Recorded{Seq: seq, At: at(seq), Event: contest.SubmissionJudged{Team: "t", Question: "1", Round: 1, Arrived: at(seq), Body: string(body)}}
}

// Full returns an event of every kind with a value in every field, so that none
// is lost unseen.
func Full() []contest.Event {
	events := contest.Kinds()
	for i, event := range events {
		value := reflect.New(reflect.TypeOf(event)).Elem()
		n := 0
		fill(value, &n)
		events[i] = value.Interface().(contest.Event)
	}
	return events
}

// fill gives everything in a value a number of its own.
func fill(value reflect.Value, n *int) {
	*n++
	switch value.Kind() {
	case reflect.Bool:
		value.SetBool(true)
	case reflect.String:
		value.SetString(fmt.Sprintf("text %d <é>", *n))
	case reflect.Int, reflect.Int64:
		value.SetInt(int64(*n))
	case reflect.Uint64:
		value.SetUint(uint64(*n))
	case reflect.Float64:
		value.SetFloat(float64(*n) + 1.0/3)
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem(), n)
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 2, 2))
		for i := range value.Len() {
			fill(value.Index(i), n)
		}
	case reflect.Map:
		key, element := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
		fill(key, n)
		fill(element, n)
		value.Set(reflect.MakeMap(value.Type()))
		value.SetMapIndex(key, element)
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			value.Set(reflect.ValueOf(at(contest.Seq(*n))))
			return
		}
		for i := range value.NumField() {
			fill(value.Field(i), n)
		}
	default:
		panic(fmt.Sprintf("events with a %s are new: say here how it is filled", value.Type()))
	}
}
