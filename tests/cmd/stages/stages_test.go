package main

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/system/executable"
)

func TestTheTableHasStagesAndSlowPackages(t *testing.T) {
	t.Parallel()
	var shown strings.Builder
	output := "ok  \tgithub.com/mixedkube/mixedkube/tests/e2e\t714.452s\n" +
		"ok  \tgithub.com/mixedkube/mixedkube/tests/bench\t0.016s [no tests to run]\n" +
		"?   \tgithub.com/mixedkube/mixedkube/internal/components/refusal\t[no test files]\n" +
		"ok  \tgithub.com/mixedkube/mixedkube/machines/kubeadm/pki\t(cached)\n" +
		"    go_test.go:1: ok  \tother\t99s\n" +
		"FAIL\tgithub.com/mixedkube/mixedkube/tests/placement\t71.901s\n" +
		"FAIL\tgithub.com/mixedkube/mixedkube/tests/broken [build failed]\n" +
		"ok  \tgithub.com/mixedkube/mixedkube/tests/differential\t3.0s\n"
	l := &lines{to: &shown}
	// The parts do not end with lines, as in a pipe.
	for part := range strings.SplitAfterSeq(output, "mixed") {
		if _, err := l.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(output, shown.String()); diff != "" {
		t.Errorf("the forwarded output (-want +got):\n%s", diff)
	}

	var out strings.Builder
	stages := table{
		{name: "unit", took: 96 * time.Second},
		{name: "e2e", took: 867400 * time.Millisecond, failed: true, packages: l.packages},
	}
	if err := stages.write(&out); err != nil {
		t.Fatal(err)
	}
	want := `
   96 s  unit
  867 s  e2e, which failed
  714 s    tests/e2e
   72 s    tests/placement
    3 s    tests/differential
  963 s  in all
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("the table (-want +got):\n%s", diff)
	}
}

func TestTheCostOfAPackageIsTheSumOfItsStages(t *testing.T) {
	t.Parallel()
	const root = "github.com/mixedkube/mixedkube"
	got := table{
		{name: "unit", packages: []line{{root, 2 * time.Second}, {root + "/components/aks", 9 * time.Second}}},
		{name: "bench-once", packages: []line{{root + "/components/aks", time.Second}}},
	}.costs()
	want := map[string]time.Duration{".": 2 * time.Second, "components/aks": 10 * time.Second}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the costs (-want +got):\n%s", diff)
	}
}

func TestItEndsWithTheStageThatFails(t *testing.T) {
	t.Parallel()
	// The script replaces make.
	script := filepath.Join(t.TempDir(), "make")
	content := "#!/bin/sh\necho \"made $*\"\n[ \"$2\" != second ]\n"
	if err := executable.Write(script, []byte(content), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		targets   []string
		want, err string
	}{
		{[]string{"first", "third"}, `== first
made --no-print-directory first JSON=-json
== third
made --no-print-directory third JSON=-json

  N s  first
  N s  third
  N s  in all
`, ""},
		{[]string{"first", "second", "third"}, `== first
made --no-print-directory first JSON=-json
== second
made --no-print-directory second JSON=-json

  N s  first
  N s  second, which failed
  N s  in all
`, "second: exit status 1"},
	} {
		var out strings.Builder
		failed := ""
		s := stages{script, func(io.Writer) error { return nil }, func(table) error { return nil }}
		if err := s.run(t.Context(), tt.targets, &out); err != nil {
			failed = err.Error()
		}
		if failed != tt.err {
			t.Errorf("%v: the error is %q, want %q", tt.targets, failed, tt.err)
		}
		got := regexp.MustCompile(`\d+ s`).ReplaceAllString(out.String(), "N s")
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.targets, diff)
		}
	}
}
