package site

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab/packages"
	"github.com/mixedkube/mixedkube/tests/internal/browser"
)

func TestMain(m *testing.M) {
	code := m.Run()
	browser.End()
	os.Exit(code)
}

// build returns a function that builds a site, once for all tests.
func build(pages, base string) func() (Site, string, error) {
	var s Site
	built := sync.OnceValues(func() (string, error) {
		root, err := filepath.Abs(filepath.Join("..", ".."))
		if err != nil {
			return "", err
		}
		if s, err = FromRoot(root, base, os.Stdout); err != nil {
			return "", err
		}
		if pages != "" {
			s.Pages = pages
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
		defer cancel()
		return s.Build(ctx)
	})
	return func() (Site, string, error) {
		dir, err := built()
		return s, dir, err
	}
}

// theSite builds the site of the repository, and theSample the site of testdata, both below a path as on GitHub Pages.
var (
	theSite   = build("", "/mixedkube/")
	theSample = build(sample, "/sample/")
)

// buildSite returns the site of the repository, and the directory in which it is built. It skips the test if the
// packages for the build are not available.
func buildSite(t *testing.T) (Site, string) {
	t.Helper()
	return available(t, theSite)
}

func buildSample(t *testing.T) (Site, string) {
	t.Helper()
	return available(t, theSample)
}

func available(t *testing.T, build func() (Site, string, error)) (Site, string) {
	t.Helper()
	s, dir, err := build()
	if unavailable, ok := errors.AsType[packages.UnavailableError](err); ok {
		t.Skipf("needs the packages of the site: %v", unavailable)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

// serve serves a site until the test ends, and returns its address.
func serve(t *testing.T, s Site, dir string) string {
	t.Helper()
	files := http.StripPrefix(strings.TrimSuffix(s.Base, "/"), http.FileServer(http.Dir(dir)))
	server := httptest.NewServer(files)
	t.Cleanup(server.Close)
	return server.URL + s.Base
}

// open opens a page of a site, and waits until its scripts run.
func open(t *testing.T, address string, v browser.View) *browser.Tab {
	t.Helper()
	tab := browser.Start(t).Open(t, address, v)
	await(t, tab)
	return tab
}

// await waits for the scripts of a page.
func await(t *testing.T, tab *browser.Tab) {
	t.Helper()
	tab.Await(t, `document.readyState === "complete" && !!document.querySelector("#app").__vue_app__`)
}
