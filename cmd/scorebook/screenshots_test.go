package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"scorebook/diag"
	"scorebook/internal/testkit"
)

// screenshots in the environment is the folder that pictures of the pages go to.
const screenshots = "SCOREBOOK_SCREENSHOTS"

// TestScreenshots takes a picture of every page in three sizes and both themes.
// It does so for people to look at, and only when it is asked to.
func TestScreenshots(t *testing.T) {
	folder := os.Getenv(screenshots)
	if folder == "" {
		t.Skip("make screenshots takes pictures of the pages")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	p := playEvening(t, 58, 9, 118*time.Second)
	server := p.serve(t, "--results", sampleFolder(t))
	b := newVisitor(t)
	b.Size(1280, 720)
	b.signIn(server)
	attempt := testkit.Eval[string](b.Browser, `document.querySelector(".attempts a[id^=why-]").getAttribute("href")`)
	b.Do(chromedp.Navigate(server.base+"/desk"), chromedp.SendKeys("[name=token]", "token of team-002"+kb.Enter), chromedp.WaitVisible("#state .clock"))
	pages := []struct{ name, path string }{
		{"start", "/"},
		{"leaderboard", "/leaderboard-ui"},
		{"control-room", attempt + "&if_kis=1&if_penalty=5"},
		{"desk", "/desk"},
		{"benchmarks", "/benchmarks"},
		{"teams", "/admin-dashboard/teams"},
	}
	for _, size := range [][2]int64{{1280, 720}, {3840, 2160}, {390, 844}} {
		b.Size(size[0], size[1])
		for _, page := range pages {
			for _, theme := range []string{"dark", "light"} {
				b.Do(chromedp.Navigate(server.base + page.path))
				testkit.Eval[bool](b.Browser, fmt.Sprintf("(document.documentElement.dataset.theme = %q) !== ''", theme))
				if page.name == "leaderboard" {
					b.Until(`document.querySelector("#connection.on") && document.querySelector("#counts").innerText !== ""`)
				}
				b.Screenshot(filepath.Join(folder, fmt.Sprintf("%s-%dx%d-%s.png", page.name, size[0], size[1], theme)))
			}
		}
	}
}

// sampleFolder is a folder with results of benchmarks.
func sampleFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var diags diag.List
	index, err := sampleIndex(&diags)
	if err == nil {
		err = writeSampleResults(dir, index, &diags)
	}
	if err != nil || !diags.OK() {
		t.Fatalf("%v %s", err, diags.Text())
	}
	return dir
}
