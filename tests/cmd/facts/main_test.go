package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func day(t *testing.T, text string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// write creates a directory with one file.
func write(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "facts.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOldFactsAreListed(t *testing.T) {
	t.Parallel()
	dir := write(t, `package facts

//facts:seen 2026-08-26 https://example.com/young
const Young = 1

// Old and older are of one release.
//
//facts:seen 2026-08-25 https://example.com/old
const (
	Old   = 1
	Older = 2
)

//facts:seen 2026-01-01 https://example.com/oldest
var Oldest = []string{}

type Kind int

var unexported = 1
`)
	facts, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ day, out, err string }{
		{
			"2026-11-24",
			`2026-01-01   327 days  Oldest
    https://example.com/oldest
2026-08-25    91 days  Old, Older
    https://example.com/old
`,
			"2 of 3 facts were looked up more than 90 days before 2026-11-24: look them up, and change their day in " +
				"internal/core/facts",
		},
		{"2026-04-01", "all 3 facts were looked up in the 90 days before 2026-04-01\n", ""},
	} {
		var out strings.Builder
		message := ""
		if err := list(&out, facts, day(t, tt.day), 90); err != nil {
			message = err.Error()
		}
		if diff := cmp.Diff([]string{tt.out, tt.err}, []string{out.String(), message}); diff != "" {
			t.Errorf("on %s (-want +got):\n%s", tt.day, diff)
		}
	}
}

func TestEachFactHasADateAndASource(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, comment, want string }{
		{
			"nothing", "// Image is one.",
			"Image has 0 comments //facts:seen: write one, with the day and the address of its source",
		},
		{
			"twice", "//facts:seen 2026-11-24 https://a.example\n//facts:seen 2026-11-24 https://b.example",
			"Image has 2 comments //facts:seen: write one, with the day and the address of its source",
		},
		{
			"no source", "//facts:seen 2026-11-24",
			`Image has "//facts:seen 2026-11-24": write //facts:seen 2026-11-24 https://example.com/source`,
		},
		{
			"no address", "//facts:seen 2026-11-24 https:///page",
			`Image has the source "https:///page", which is not an address`,
		},
		{
			"no day", "//facts:seen 2026-02-30 https://a.example",
			"Image was seen on 2026-02-30, which is not a day",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := read(write(t, "package facts\n\n"+tt.comment+"\nconst Image = 1\n"))
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
		})
	}
}

func TestADirectoryWithoutFactsIsAnError(t *testing.T) {
	t.Parallel()
	dir := write(t, "package facts\n")
	if _, err := read(dir); err == nil || err.Error() != "there are no facts in "+dir {
		t.Errorf("the error is %v", err)
	}
}

func TestTheFactsOfTheLibrary(t *testing.T) {
	t.Parallel()
	facts, err := read(filepath.Join("..", "..", "..", "internal", "core", "facts"))
	if err != nil {
		t.Fatal(err)
	}
	if len(facts) < 15 {
		t.Errorf("only %d facts were found", len(facts))
	}
}
