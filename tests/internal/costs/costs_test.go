package costs

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMeasuredTimesReplaceLinesOfTheTable(t *testing.T) {
	t.Parallel()
	checkout := t.TempDir()
	for _, dir := range []string{"tests/cmd/check", "components/pod", "components/node", "internal/new"} {
		if err := os.MkdirAll(filepath.Join(checkout, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	before := "# Old heading.\n\ncomponents/removed 3\ncomponents/pod 7\ncomponents/node 2\n"
	if err := os.WriteFile(filepath.Join(checkout, File), []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	err := Write(checkout, map[string]time.Duration{
		"components/pod":   1400 * time.Millisecond,
		"internal/new":     500 * time.Millisecond,
		"internal/deleted": time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(checkout, File))
	if err != nil {
		t.Fatal(err)
	}
	want := heading + "components/node 2\ncomponents/pod 1\ninternal/new 1\n"
	if diff := cmp.Diff(want, string(after)); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
	table, err := Read(checkout)
	if err != nil {
		t.Fatal(err)
	}
	rounded := map[string]int{"components/node": 2, "components/pod": 1, "internal/new": 1}
	if diff := cmp.Diff(rounded, table); diff != "" {
		t.Errorf("the table that is read (-want +got):\n%s", diff)
	}
}

func TestTheFirstTableIsWritten(t *testing.T) {
	t.Parallel()
	checkout := t.TempDir()
	if err := os.MkdirAll(filepath.Join(checkout, filepath.Dir(File)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(checkout, map[string]time.Duration{"tests/cmd/check": 4 * time.Second}); err != nil {
		t.Fatal(err)
	}
	table, err := Read(checkout)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"tests/cmd/check": 4}, table); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
}

func TestLinesThatAreNotOfTheTable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a 1\nb 2\n":    "",
		"a 1\nb\n":      `line 2: "b" is not a directory and whole seconds`,
		"a 1.5\n":       `line 1: "1.5" is not a number of whole seconds`,
		"a -1\n":        `line 1: "-1" is not a number of whole seconds`,
		"# a\na 1\na 2": "line 3: a is in the table twice",
	} {
		got := ""
		if _, err := parse(text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: the error is %q, want %q", text, got, want)
		}
	}
}
