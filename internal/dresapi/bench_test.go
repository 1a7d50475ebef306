package dresapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"scorebook/contest"
	"scorebook/internal/auth"
	"scorebook/internal/dresapi"
	"scorebook/internal/httpapi"
	"scorebook/internal/service"
)

// BenchmarkSubmit compares what a submission costs through this interface with
// the same submission through the native one, in the same run.
func BenchmarkSubmit(b *testing.B) {
	const body = `{"answerSets": [{"answers": [{"mediaItemName": "L01_V001", "start": 90000, "end": 90000}]}]}`
	var native time.Duration
	for _, bench := range []struct{ name, path string }{{"native", "/submit"}, {"dres", "/api/v2/submit/c0ffee"}} {
		b.Run(bench.name, func(b *testing.B) {
			s := newSite(b, dresapi.Options{})
			admin := auth.NewAdmin(service.HashToken("admin"), false)
			handler := httpapi.New(s.Service, httpapi.Options{Admin: admin, Dialect: dresapi.New(s.Service, dresapi.Options{Admin: admin})})
			s.Must(b, contest.Start{Question: "1"})
			session := s.login("one")
			if bench.name == "native" {
				session = "token of one"
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				if n%400 == 0 {
					s.Clock.Advance(10 * time.Second) // what a team may submit is refilled
					s.Must(b, contest.Extend{Question: "1", By: 10 * time.Second})
				}
				request := httptest.NewRequest(http.MethodPost, bench.path, strings.NewReader(body))
				request.Header.Set("Authorization", "Bearer "+session)
				recorder := httptest.NewRecorder()
				handler.ServeHTTP(recorder, request)
				if recorder.Code != http.StatusOK {
					b.Fatalf("status %d: %s", recorder.Code, recorder.Body)
				}
			}
			each := b.Elapsed() / time.Duration(n)
			if bench.name == "native" {
				native = each
			} else if native > 0 {
				b.ReportMetric(float64(each)/float64(native), "x-native")
			}
		})
	}
}
