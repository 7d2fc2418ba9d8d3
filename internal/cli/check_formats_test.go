package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// One run writes the reports of several runs, and its output has the format of --format.
func TestOneRunWritesSeveralReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const manifests = "testdata/check/manifests"
	args := []string{"--strict"}
	names := []string{"json", "sarif", "junit", "gitlab", "text"}
	for _, name := range names {
		args = append(args, "--report", name+"="+filepath.Join(dir, "reports", name))
	}
	code, stdout, stderr := runCheck(t, "", append(args, manifests)...)
	wantCode, want, wantErrors := runCheck(t, "", "--strict", manifests)
	if code != wantCode || stdout != want || stderr != wantErrors || code != failed {
		t.Errorf("exit %d, output %s%s, want %d, %s%s", code, stdout, stderr, wantCode, want, wantErrors)
	}
	for _, name := range names {
		_, want, _ := runCheck(t, "", "--strict", "--format", name, manifests)
		got, err := os.ReadFile(filepath.Join(dir, "reports", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" || want == "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A pipeline also shows the reports of a run that could not read everything.
func TestReportsAreWrittenWhateverTheRunFinds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		paths []string
		code  exitError
		want  string
	}{
		"nothing is wrong": {[]string{"testdata/check/manifests/classes"}, passed, "[]\n"},
		"unreadable":       {[]string{"testdata/check/unreadable"}, unusable, `"check_name": "unreadable"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "quality.json")
			code, _, _ := runCheck(t, "", append(tt.paths, "--report", "gitlab="+file)...)
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if code != tt.code || !strings.Contains(string(got), tt.want) {
				t.Errorf("exit %d, want %d, report %s, want %s", code, tt.code, got, tt.want)
			}
		})
	}
}

func TestAReportThatCannotBeWrittenFailsTheRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.json")
	report := filepath.Join(blocked, "a.xml")
	code, _, stderr := runCheck(t, pod, "--report", "junit="+report, "--report", "json="+other, "-")
	if code != unusable || !strings.Contains(stderr, filepath.ToSlash(report)+": not a directory") {
		t.Errorf("exit %d, errors %s", code, stderr)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("the other report is not written: %v", err)
	}
}
