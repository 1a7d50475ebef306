package main

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"scorebook/internal/testkit"
)

// visitor is somebody at a browser.
type visitor struct{ *testkit.Browser }

func newVisitor(t *testing.T) visitor { return visitor{testkit.NewBrowser(t)} }

// signIn signs in as the organiser.
func (v visitor) signIn(server *process) {
	v.Do(chromedp.Navigate(server.base+"/admin-dashboard"),
		chromedp.SendKeys("[name=token]", testAdminToken+kb.Enter), chromedp.WaitVisible("#questions"))
}
