package clustermap

import (
	"bytes"
	"context"
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
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/mixedkube/mixedkube/internal/cli"
	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

var screenshots = flag.String("screenshots", "", "keep pictures of what the browser shows in this `folder`")

// chromium is the path of the browser. It skips the test where it cannot be had.
var chromium = sync.OnceValues(func() (string, error) {
	cache, err := tools.FromRoot(filepath.Join("..", ".."), os.Stdout)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	return debian.Chromium.Ensure(ctx, cache.Dir, os.Stdout)
})

// view is how a page is looked at.
type view struct {
	theme         string
	width, height int64
	// noScript looks at it in a browser that runs no scripts.
	noScript bool
}

var (
	desktop = view{theme: "light", width: 1280, height: 900}
	phone   = view{theme: "light", width: 390, height: 844}
)

func (v view) dark() view { v.theme = "dark"; return v }

// tab is an open page, and what it has done.
type tab struct {
	context.Context
	mutex sync.Mutex
	// asked are the addresses that were asked for, complaints what the browser says about the page.
	asked, complaints []string
}

// shared is the browser of all tests, with a new profile.
var shared = sync.OnceValues(func() (context.Context, error) {
	at, err := chromium()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "mixedkube-chromium-*")
	if err != nil {
		return nil, err
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(at), chromedp.UserDataDir(profile)}
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

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	ended()
	os.Exit(code)
}

// chrome is the browser of all tests.
type chrome struct{ context.Context }

// browse is the browser. It skips the test where the machine cannot have it.
func browse(t *testing.T) chrome {
	t.Helper()
	ctx, err := shared()
	if unavailable, ok := errors.AsType[debian.UnavailableError](err); ok {
		t.Skip(unavailable)
	}
	if err != nil {
		t.Fatal(err)
	}
	return chrome{ctx}
}

// open opens a file in a new tab.
func (c chrome) open(t *testing.T, file string, v view) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(c)
	t.Cleanup(cancel)
	opened := &tab{Context: ctx}
	if err := chromedp.Listen(ctx, opened.listen); err != nil {
		t.Fatal(err)
	}
	opened.do(
		t, call(network.Enable, network.EnableParams{}), call(log.Enable, cdp.Empty{}),
		call(runtime.Enable, cdp.Empty{}), call(page.Enable, page.EnableParams{}),
		call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: v.width, Height: v.height, DeviceScaleFactor: 1, Mobile: v.width < 600,
		}),
		call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: v.theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}}),
		call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v.noScript}),
		chromedp.Navigate(address(file)),
	)
	return opened
}

// call is an action that calls the browser.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, command, params)
		return err
	})
}

func address(file string) string { return (&url.URL{Scheme: "file", Path: file}).String() }

func (o *tab) listen(event any) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		o.asked = append(o.asked, e.Request.URL)
	case *runtime.EventExceptionThrown:
		o.complaints = append(o.complaints, "exception: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		o.complaints = append(o.complaints, string(e.Entry.Level)+": "+e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		o.complaints = append(o.complaints, "dialog: "+e.Message)
	}
}

// isQuiet fails if the page has asked for anything else than itself, or the browser complains.
func (o *tab) isQuiet(t *testing.T, file string) {
	t.Helper()
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, asked := range o.asked {
		if asked != address(file) {
			t.Errorf("the page asks for %s", asked)
		}
	}
	if len(o.asked) == 0 {
		t.Error("the browser has not even asked for the page: the test sees nothing")
	}
	for _, complaint := range o.complaints {
		t.Errorf("the browser complains: %s", complaint)
	}
}

func (o *tab) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(o, actions...); err != nil {
		t.Fatal(err)
	}
}

// tells evaluates an expression of JavaScript that has a list of texts.
func (o *tab) tells(t *testing.T, expression string) []string {
	t.Helper()
	texts, err := chromedp.Run(o, chromedp.Evaluate[[]string](expression))
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// shoot keeps a picture of the whole page, if somebody wants one.
func (o *tab) shoot(t *testing.T, name string) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	picture, err := chromedp.Run(o, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(*screenshots, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}

// draw runs mixedkube map, and returns the picture.
func draw(t *testing.T, extension string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "map"+extension)
	var stdout, stderr bytes.Buffer
	args = append([]string{"map", "--out", file, "--title", "shop"}, args...)
	if code := cli.Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("mixedkube %s: exit %d: %s", strings.Join(args, " "), code, &stderr)
	}
	return file
}

// small draws a cluster of three pools, large one of a hundred.
func small(t *testing.T, extension string) string {
	t.Helper()
	return draw(t, extension, "--topology", "testdata/cluster.yaml", "testdata/shop.yaml")
}

func large(t *testing.T, extension string) string {
	t.Helper()
	platforms := []string{"linux", "linux", "windows-2022", "windows-2022", "windows-2019", "windows-2025"}
	sizes := []string{"Standard_D4s_v5", "Standard_D8s_v5", "Standard_E8s_v5", "Standard_D16s_v5", "x"}
	var cluster strings.Builder
	cluster.WriteString("kubernetesVersion: \"1.36\"\npools:\n")
	for i := range 100 {
		fmt.Fprintf(&cluster, "- {name: %s-%02d, platform: %s, count: %d, size: %s, labels: {pool: p%d}}\n",
			strings.Replace(platforms[i%6], "windows-20", "win", 1), i, platforms[i%6], 1+i*7%9, sizes[i*3%5], i)
	}
	var objects strings.Builder
	names := []string{"api", "worker", "web", "cache", "gateway", "import", "export"}
	teams := []string{"shop", "billing", "search", "identity", "logistics"}
	for i := range 300 {
		selector := fmt.Sprintf("pool: p%d", i*11%100)
		switch {
		case i%29 == 7:
			selector = "pool: nowhere"
		case i%12 == 0:
			selector = "kubernetes.io/os: linux"
		}
		fmt.Fprintf(&objects, `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %s-%d, namespace: %s}
spec:
  replicas: %d
  template:
    spec:
      nodeSelector: {%s}
      tolerations: [{key: os, value: windows}]
      containers: [{name: a, image: example.com/a, resources: {requests: {cpu: %dm, memory: %dMi}}}]
`, names[i%7], i, teams[i%5], 1+i%5, selector, 100+i%7*150, 128+i%5*512)
	}
	folder := t.TempDir()
	for name, text := range map[string]string{"cluster.yaml": cluster.String(), "objects.yaml": objects.String()} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return draw(t, extension, "--title", "production-westeurope", "--topology", filepath.Join(folder, "cluster.yaml"),
		filepath.Join(folder, "objects.yaml"))
}
