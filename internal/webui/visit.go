package webui

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"scorebook/internal/auth"
)

// visit is a request for a page with what the visitor wishes.
type visit struct {
	w     http.ResponseWriter
	r     *http.Request
	Lang  string // one of languages
	Theme string // dark, light, or empty: as the system has it

	arrived time.Time // before anything of the body was read
}

// languages are those of the catalogue; the first one is the default.
var languages = []string{"en", "vi"}

var matcher = language.NewMatcher([]language.Tag{language.English, language.Vietnamese})

// wish is for how long a language or a theme is remembered.
const wish = 365 * 24 * time.Hour

func newVisit(w http.ResponseWriter, r *http.Request) *visit {
	v := &visit{w: w, r: r}
	v.Theme = v.wished("theme", "dark", "light", "auto")
	if v.Theme == "auto" {
		v.Theme = ""
	}
	if v.Lang = v.wished("lang", languages...); v.Lang == "" {
		_, i := language.MatchStrings(matcher, r.Header.Get("Accept-Language"))
		v.Lang = languages[i]
	}
	return v
}

// wished returns what the visitor wants: the query says it, and a cookie
// remembers it.
func (v *visit) wished(name string, choices ...string) string {
	asked := v.r.URL.Query().Get(name)
	for _, choice := range choices {
		if asked == choice {
			http.SetCookie(v.w, auth.Cookie(v.r, "scorebook-"+name, choice, wish))
			return choice
		}
	}
	if cookie, err := v.r.Cookie("scorebook-" + name); err == nil {
		for _, choice := range choices {
			if cookie.Value == choice {
				return choice
			}
		}
	}
	return ""
}

// With returns the address of this page with another value in its query.
func (v *visit) With(name, value string) string {
	query := v.r.URL.Query()
	if v.r.Method != http.MethodGet {
		query = url.Values{}
	}
	query.Set(name, value)
	return "?" + query.Encode()
}

// Query returns a value of the query.
func (v *visit) Query(name string) string { return v.r.URL.Query().Get(name) }

// Path returns the path of the page.
func (v *visit) Path() string { return v.r.URL.Path }

// say returns a message in the visitor's language.
func (v *visit) say(key string, args ...any) string { return say(v.Lang, key, args...) }

// sayOr returns a message, or something else if there is none.
func (v *visit) sayOr(key, otherwise string) string {
	if text, ok := catalogue[v.Lang][key]; ok {
		return text
	}
	return otherwise
}

// redirect sends the visitor to another page.
func (v *visit) redirect(to string) error {
	v.w.Header().Set("Cache-Control", "no-store")
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return nil
}

// send sends a body, smaller if the browser can read that.
func (v *visit) send(status int, mediaType string, body []byte) error {
	if v.gzips() {
		return v.sendZipped(status, mediaType, zip(body))
	}
	return v.write(status, mediaType, body)
}

func (v *visit) sendZipped(status int, mediaType string, zipped []byte) error {
	v.w.Header().Set("Content-Encoding", "gzip")
	return v.write(status, mediaType, zipped)
}

func (v *visit) write(status int, mediaType string, body []byte) error {
	v.w.Header().Set("Content-Type", mediaType)
	v.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(body) // the visitor may be gone
	}
	return nil
}

// gzips reports whether the visitor reads gzip.
func (v *visit) gzips() bool { return gzips(v.r) }

func gzips(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, parameters, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			quality, found := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q=")
			q, err := strconv.ParseFloat(quality, 64)
			return !found || err == nil && q > 0
		}
	}
	return false
}

func zip(body []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is valid
	_, _ = z.Write(body)                            // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}
