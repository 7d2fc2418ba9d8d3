// Package browser opens pages in a real browser, Debian's Chromium, for tests.
//
// The flag -screenshots saves screenshots.
package browser

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/tests/internal/keeper"
)

var screenshots = flag.String("screenshots", "", "save screenshots of the browser in this `directory`")

// chromium returns the path of the browser, which it downloads if necessary.
var chromium = sync.OnceValues(func() (string, error) {
	cache, err := tools.FromRoot(filepath.Join("..", ".."), os.Stdout)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	return debian.Chromium.Ensure(ctx, cache.Dir, os.Stdout)
})

// View is the size of the window and the theme in which a page is shown.
type View struct {
	Theme         string
	Width, Height int64
	// NoScript disables scripts.
	NoScript bool
}

// The windows of a desktop and of a phone, in the light theme.
var (
	Desktop = View{Theme: "light", Width: 1280, Height: 900}
	Phone   = View{Theme: "light", Width: 390, Height: 844}
)

// Dark returns the same view in the dark theme.
func (v View) Dark() View { v.Theme = "dark"; return v }

// Tab is an open page, with its requests and the complaints of the browser.
type Tab struct {
	context.Context
	mutex sync.Mutex
	// requests are the addresses that the page has requested, complaints the messages of the browser about the page.
	requests, complaints []string
}

// shared starts the browser of all tests with a new profile.
var shared = sync.OnceValues(func() (context.Context, error) {
	at, err := chromium()
	if err != nil {
		return nil, err
	}
	if _, err := keeper.Start(); err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "mixedkube-chromium-*")
	if err != nil {
		return nil, err
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(at), chromedp.UserDataDir(profile), chromedp.Env("TMPDIR=" + profile),
	}
	for _, on := range []string{
		"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
		"disable-component-update", "disable-sync", "hide-scrollbars",
	} {
		options = append(options, chromedp.Flag(on, true))
	}
	ctx, endAll := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(ctx)
	ended = func() {
		end()
		endAll()
		_ = os.RemoveAll(profile)
	}
	if err := chromedp.Do(ctx); err != nil {
		return nil, fmt.Errorf("start %s: %w", at, err)
	}
	return ctx, nil
})

// ended ends the browser, if there is one.
var ended = func() {}

// End ends the browser, if there is one: call it in TestMain, after all tests.
func End() { ended() }

// Browser is the browser that all tests of a process share.
type Browser struct{ context.Context }

// Start returns the browser. The first call starts it. It skips the test if the machine cannot install the browser.
func Start(t *testing.T) Browser {
	t.Helper()
	ctx, err := shared()
	if unavailable, ok := errors.AsType[debian.UnavailableError](err); ok {
		t.Skipf("needs %v", unavailable)
	}
	if err != nil {
		t.Fatal(err)
	}
	return Browser{ctx}
}

// Open opens an address in a new tab.
func (b Browser) Open(t *testing.T, address string, v View) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b)
	t.Cleanup(cancel)
	opened := &Tab{Context: ctx}
	if err := chromedp.Listen(ctx, opened.listen); err != nil {
		t.Fatal(err)
	}
	// This creates the tab: created by the first actions, it would end with their timeout.
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	opened.Do(
		t, call(network.Enable, network.EnableParams{}), call(log.Enable, cdp.Empty{}),
		call(runtime.Enable, cdp.Empty{}), call(page.Enable, page.EnableParams{}),
		call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: v.Width, Height: v.Height, DeviceScaleFactor: 1, Mobile: v.Width < 600,
		}),
		call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: v.Theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}}),
		call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v.NoScript}),
		chromedp.Navigate(address),
	)
	return opened
}

// call returns an action that sends a command to the browser.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, command, params)
		return err
	})
}

// File returns the address of a file.
func File(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

func (o *Tab) listen(event any) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		o.requests = append(o.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		o.complaints = append(o.complaints, "exception: "+e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			o.complaints = append(o.complaints, fmt.Sprintf("console: %s: %s", e.Type, consoleText(e.Args)))
		}
	case *log.EventEntryAdded:
		o.complaints = append(o.complaints, string(e.Entry.Level)+": "+e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		o.complaints = append(o.complaints, "dialog: "+e.Message)
	}
}

// consoleText returns what a page writes to the console.
func consoleText(args []*runtime.RemoteObject) string {
	var words []string
	for _, arg := range args {
		word := arg.Description
		if word == "" {
			word = string(arg.Value)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// IsQuiet fails the test if the page has requested an address that does not begin with own, or if the browser
// complains.
func (o *Tab) IsQuiet(t *testing.T, own string) {
	t.Helper()
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, address := range o.requests {
		// The content of a data: address is in the page itself, so there is no request to a server.
		if !strings.HasPrefix(address, own) && !strings.HasPrefix(address, "data:") {
			t.Errorf("the page requests %s", address)
		}
	}
	if len(o.requests) == 0 {
		t.Error("the browser has not requested the page: the test checks nothing")
	}
	for _, complaint := range o.complaints {
		t.Errorf("the browser complains: %s", complaint)
	}
}

// Do runs the actions in order. It fails the test after two minutes: an action waits for its element.
func (o *Tab) Do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(o, 2*time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// Tells evaluates a JavaScript expression whose value is a list of strings.
func (o *Tab) Tells(t *testing.T, expression string) []string {
	t.Helper()
	texts, err := chromedp.Run(o, chromedp.Evaluate[[]string](expression))
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

//go:embed looks.js
var looks string

// LooksWell fails the test for each text of the page that has a contrast of less than 4.5, the minimum of level AA
// (https://www.w3.org/TR/WCAG22/#contrast-minimum), that is too small, or that is outside of the window.
func (o *Tab) LooksWell(t *testing.T) {
	t.Helper()
	for _, wrong := range o.Tells(t, looks) {
		t.Error(wrong)
	}
}

// Await waits until a JavaScript expression is true. It fails the test after half a minute.
func (o *Tab) Await(t *testing.T, condition string) {
	t.Helper()
	// By default, Poll checks once a frame, and a tab in the background draws no frames.
	interval := chromedp.WithPollingInterval(50 * time.Millisecond)
	if _, err := chromedp.Run(o, chromedp.Poll[bool](condition, interval)); err != nil {
		o.ShootWindow(t, "failed")
		t.Fatalf("%s: %v", condition, err)
	}
}

// Press presses a key.
func (o *Tab) Press(t *testing.T, key string) {
	t.Helper()
	o.Do(t, chromedp.KeyEvent(key))
}

// Insert inserts a text at the focus, without key events.
func (o *Tab) Insert(t *testing.T, text string) {
	t.Helper()
	o.Do(t, call(input.InsertText, input.InsertTextParams{Text: text}))
}

// Shoot saves a screenshot of the whole page if the flag -screenshots is set.
func (o *Tab) Shoot(t *testing.T, name string) {
	t.Helper()
	o.shoot(t, name, chromedp.FullScreenshot(100))
}

// ShootWindow saves a screenshot of the visible part of the page if the flag -screenshots is set.
func (o *Tab) ShootWindow(t *testing.T, name string) {
	t.Helper()
	o.shoot(t, name, chromedp.CaptureScreenshot())
}

// Picture returns the visible part of the page as PNG.
func (o *Tab) Picture(t *testing.T) []byte {
	t.Helper()
	return o.taken(t, chromedp.CaptureScreenshot())
}

func (o *Tab) taken(t *testing.T, shoot chromedp.Action[[]byte]) []byte {
	t.Helper()
	picture, err := chromedp.Run(o, shoot)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func (o *Tab) shoot(t *testing.T, name string, shoot chromedp.Action[[]byte]) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	picture := o.taken(t, shoot)
	if err := os.MkdirAll(*screenshots, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
