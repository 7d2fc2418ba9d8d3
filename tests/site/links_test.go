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
