package site

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNoLinkOfTheSiteIsDead(t *testing.T) {
	t.Parallel()
	s, built := buildSite(t)
	wrong, err := s.Check(os.DirFS(built), os.DirFS(s.Pages))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wrong {
		t.Error(w)
	}
}

func TestDeadLinksAreFound(t *testing.T) {
	t.Parallel()
	s, built := buildSample(t)
	got, err := s.Check(os.DirFS(built), os.DirFS(s.Pages))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"docs/dead.html: #nowhere: the page has no such anchor",
		"docs/dead.html: /sample/docs/rules/pods.html#mk999: the page has no such anchor",
		"docs/dead.html: /sample/docs/tabs.html#nowhere: the page has no such anchor",
		"docs/dead.html: https://example.com/badge.svg: the page fetches it from another host: put it into the repository",
		"docs/dead.html: https://github.com/mixedkube/mixedkube/blob/main/code/nowhere.go: the repository has no such file",
		"docs/dead.html: https://github.com/mixedkube/mixedkube/blob/main/docs/nowhere.md: the repository has no such file",
		"docs/dead.html: https://github.com/mixedkube/mixedkube/blob/main/nowhere: the repository has no such file",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dead links (-want +got):\n%s", diff)
	}
}

func TestLoadedByStyles(t *testing.T) {
	t.Parallel()
	got := loadedByStyles(`@import "https://example.com/a.css"; @font-face { src: url(/f.woff2), url('//example.com/g') }
		a { background: url( "data:image/svg+xml,x" ); color: red }`)
	want := []string{"https://example.com/a.css", "/f.woff2", "//example.com/g", "data:image/svg+xml,x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
}
