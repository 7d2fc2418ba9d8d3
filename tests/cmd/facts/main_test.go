package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/testkit/golden"
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
//facts:seen 2026-05-25 https://example.com/old
//facts:expires 2026-07-01
const (
	Old   = 1
	Older = 2
)

//facts:seen 2026-01-01 https://example.com/oldest
var Oldest = []string{}

type Kind int

const First Kind = iota

var format = regexp.MustCompile("^a$")

//facts:none a name that this library chooses
const name = "a"
`)
	facts, err := read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ day, out, err string }{
		{
			"2026-07-01",
			`expired 2026-06-30  seen 2026-01-01  Oldest
    https://example.com/oldest
expired 2026-07-01  seen 2026-05-25  Old, Older
    https://example.com/old
`,
			"2 of 3 facts have expired on 2026-07-01: look them up, and change their day in internal/core/facts",
		},
		{
			"2026-05-31",
			`expires 2026-06-30  seen 2026-01-01  Oldest
    https://example.com/oldest
none of 3 facts has expired on 2026-05-31
`,
			"",
		},
		{"2026-05-30", "none of 3 facts has expired on 2026-05-30\n", ""},
	} {
		var out strings.Builder
		message := ""
		if err := list(&out, facts, day(t, tt.day)); err != nil {
			message = err.Error()
		}
		if diff := cmp.Diff([]string{tt.out, tt.err}, []string{out.String(), message}); diff != "" {
			t.Errorf("on %s (-want +got):\n%s", tt.day, diff)
		}
	}
}

func TestEachFactHasADateAndASource(t *testing.T) {
	t.Parallel()
	const orNone = ", or //facts:none with the reason for which it is not a fact"
	for _, tt := range []struct{ name, comment, want string }{
		{
			"nothing", "// Image is one.",
			"Image has no comment //facts:seen: write one for each source, with its day and its address" + orNone,
		},
		{
			"no reason", "//facts:none",
			"Image has no comment //facts:seen: write one for each source, with its day and its address" + orNone,
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
		{
			"no end", "//facts:seen 2026-02-28 https://a.example\n//facts:expires soon",
			`Image has "//facts:expires soon": write //facts:expires 2027-11-24 once`,
		},
		{
			"no day of the release", "//facts:seen 2026-02-28 https://a.example\n//facts:released 2026-02-30",
			`Image has "//facts:released 2026-02-30", which is not a day`,
		},
		{
			"an end before it was seen", "//facts:seen 2026-02-28 https://a.example\n//facts:expires 2026-02-28",
			"Image expires on 2026-02-28, which is not a day after it was seen",
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

func TestFactsInPackagesBelow(t *testing.T) {
	t.Parallel()
	dir := write(t, "package facts\n\n//facts:seen 2026-02-28 https://a.example\nconst Image = 1\n")
	below := filepath.Join(dir, "vm", "vm.go")
	if err := os.Mkdir(filepath.Dir(below), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ comment, names, err string }{
		{"// sizes belong to a series.", "", below + ":4:1: vm.sizes, vm.more has no comment"},
		{"//facts:seen 2026-02-27 https://b.example", "vm.sizes, vm.more; Image", ""},
		{"//facts:none both are examples", "Image", ""},
	} {
		if err := os.WriteFile(below, []byte("package vm\n\n"+tt.comment+"\nvar sizes, more = 1, 2\n"),
			0o600); err != nil {
			t.Fatal(err)
		}
		facts, err := read(dir)
		if (err != nil) != (tt.err != "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
			t.Errorf("%s: the error is %v, want %s", tt.comment, err, tt.err)
		}
		names := make([]string, len(facts))
		for i, f := range facts {
			names[i] = f.name()
		}
		if got := strings.Join(names, "; "); err == nil && got != tt.names {
			t.Errorf("%s: the facts are %s, want %s", tt.comment, got, tt.names)
		}
	}
}

func TestADirectoryWithoutFactsIsAnError(t *testing.T) {
	t.Parallel()
	dir := write(t, "package facts\n")
	if _, err := read(dir); err == nil || err.Error() != "there are no facts in "+dir {
		t.Errorf("the error is %v", err)
	}
}

const ofLibrary = "../../../internal/core/facts"

func TestTheFactsOfTheLibrary(t *testing.T) {
	t.Parallel()
	facts, err := read(ofLibrary)
	if err != nil {
		t.Fatal(err)
	}
	if len(facts) < 30 {
		t.Errorf("only %d facts were found", len(facts))
	}
	if err := impossible(facts, time.Now()); err != nil {
		t.Error(err)
	}
}

func TestImpossibleDays(t *testing.T) {
	t.Parallel()
	facts, err := read(write(t, `package facts

//facts:seen 2026-03-01 https://example.com/a
var Early = []string{"1.35.2", "1.36.0", "1.36"}

//facts:seen 2026-07-17 https://example.com/b
var Patches = map[kubeversion.Version]int{minor(36): 2, minor(37): 0}

//facts:seen 2026-08-26 https://example.com/b
var Later = map[kubeversion.Version]int{minor(36): 2, minor(37): 0}

//facts:seen 2026-09-23 https://example.com/c
//facts:released 2026-09-24
const Containerd = "2.3.6"

//facts:seen 2026-09-24 https://example.com/c
//facts:released 2026-09-24
const OnTheDay = "2.3.6"

//facts:seen 2026-12-02 https://example.com/d
const Future = "1"
`))
	if err != nil {
		t.Fatal(err)
	}
	want := "Early: seen on 2026-03-01, and Kubernetes 1.36.0 was released later\n" +
		"Patches: seen on 2026-07-17, and Kubernetes 1.37.0 was released later\n" +
		"Containerd: seen on 2026-09-23, and released on 2026-09-24\n" +
		"Future: seen on 2026-12-02, after today"
	if err := impossible(facts, day(t, "2026-12-01")); err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if err := impossible(facts[len(facts)-1:], day(t, "2026-12-02")); err != nil {
		t.Error(err)
	}
}

func TestGeneratedLives(t *testing.T) {
	t.Parallel()
	facts, err := read(ofLibrary)
	if err != nil {
		t.Fatal(err)
	}
	table, err := tableOf(facts)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, ofLibrary+"/lives/table.go", string(table))
}
