package testkit

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Require returns whether a tool may not be missing: it stands in
// SCOREBOOK_REQUIRE, separated by commas.
func Require(tool string) bool {
	return slices.Contains(strings.Split(os.Getenv("SCOREBOOK_REQUIRE"), ","), tool)
}

// Browser is a tab of a real browser, with what went wrong in it.
type Browser struct {
	t   testing.TB
	Ctx context.Context

	mu       sync.Mutex
	problems []string
	allowed  []string
	bytes    map[network.RequestID]int64 // received, as they came over the wire
}

var browsers = []string{"chromium", "chromium-browser", "google-chrome", "chrome"}

// NewBrowser opens a tab. Without a browser the test is skipped, or fails if one
// is required. When the test ends, it fails if the console had an error, a
// script threw, or the content security policy forbade something.
func NewBrowser(t testing.TB) *Browser {
	t.Helper()
	path := ""
	for _, name := range browsers {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	switch {
	case path != "":
	case Require("browser"):
		t.Fatal("no browser was found, and SCOREBOOK_REQUIRE names it: install chromium")
	default:
		t.Skip("SKIPPED: no browser was found: install chromium to run this test")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()), chromedp.Env("TMPDIR="+t.TempDir()),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("lang", "en"), chromedp.WSURLReadTimeout(time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	b := &Browser{t: t, Ctx: ctx, bytes: map[network.RequestID]int64{}}
	messages := chromedp.Console(ctx)
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatalf("the browser: %v", err)
	}
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.IsException() || m.Type == "error" || m.Type == "warning" || m.Type == "assert" {
				b.mu.Lock()
				b.problems = append(b.problems, fmt.Sprintf("%s %s %s (%s:%d)", m.Source, m.Type, m.Text, m.URL, m.Line+1))
				b.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		for _, problem := range b.Problems() {
			t.Errorf("the browser: %s", problem)
		}
	})
	return b
}

// hear counts what is received.
func (b *Browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventDataReceived: // all there is of a stream
		b.bytes[e.RequestID] += e.DataLength
	case *network.EventLoadingFinished: // with heads, and compressed
		b.bytes[e.RequestID] = int64(e.EncodedDataLength)
	}
}

// Allow takes problems that hold a text for expected.
func (b *Browser) Allow(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.allowed = append(b.allowed, text)
}

// Problems returns what went wrong and was not expected.
func (b *Browser) Problems() (unexpected []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, problem := range b.problems {
		if !slices.ContainsFunc(b.allowed, func(text string) bool { return strings.Contains(problem, text) }) {
			unexpected = append(unexpected, problem)
		}
	}
	return unexpected
}

// Received returns how many bytes were received, as they came over the wire.
func (b *Browser) Received() (sum int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.bytes {
		sum += n
	}
	return sum
}

// Do does something in the tab, and fails the test if it cannot.
func (b *Browser) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.Ctx, steps...); err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
}

// Size sets the size of the viewport, in CSS pixels.
func (b *Browser) Size(width, height int64) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, height))
}

// Forget deletes the cookies.
func (b *Browser) Forget() {
	b.t.Helper()
	if _, err := chromedp.Call(b.Ctx, network.ClearBrowserCookies, cdp.Empty{}); err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
}

// WithoutScripts makes the pages that follow run no script.
func (b *Browser) WithoutScripts() {
	b.t.Helper()
	params := emulation.SetScriptExecutionDisabledParams{Value: true}
	if _, err := chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled, params); err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
}

// Eval returns the value of a JavaScript expression.
func Eval[T any](b *Browser, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("the browser: %s: %v", expression, err)
	}
	return value
}

// Text returns the text of the first element that a selector finds, or "".
func (b *Browser) Text(selector string) string {
	b.t.Helper()
	return Eval[string](b, fmt.Sprintf("(document.querySelector(%q)?.innerText ?? '').trim()", selector))
}

// OuterHTML returns what the page holds of an element, also without scripts.
func (b *Browser) OuterHTML(selector string) string {
	b.t.Helper()
	html, err := chromedp.Run(b.Ctx, chromedp.OuterHTML(selector))
	if err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
	return html
}

// patience is for how long Until waits.
const patience = 20 * time.Second

// Until waits until a JavaScript condition holds, through navigations too, and
// fails the test if it does not. It returns for how long it waited. A condition
// that throws does not hold.
func (b *Browser) Until(condition string) time.Duration {
	b.t.Helper()
	began := time.Now()
	ask := chromedp.Evaluate[bool]("(() => { try { return Boolean(" + condition + ") } catch { return false } })()")
	for {
		held, err := chromedp.Run(b.Ctx, ask) // fails while the page changes
		switch {
		case err == nil && held:
			return time.Since(began)
		case b.Ctx.Err() != nil, time.Since(began) > patience:
			shown, _ := chromedp.Run(b.Ctx, chromedp.Evaluate[string]("document.body.innerText"))
			b.t.Fatalf("%s did not become true (%v), the page shows\n%s\nproblems: %q", condition, err, shown, b.Problems())
		}
		time.Sleep(10 * time.Millisecond) // between two looks: a page tells nobody when it is done
	}
}

// Screenshot writes what the viewport shows into a file.
func (b *Browser) Screenshot(path string) {
	b.t.Helper()
	image, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatalf("the browser: %v", err)
	}
	if err := os.WriteFile(path, image, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
