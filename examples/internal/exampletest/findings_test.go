package exampletest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

func TestProblems(t *testing.T) {
	t.Parallel()
	const (
		finding = "spec.terminationGracePeriodSeconds: 60: is honored only with containerd (MK510)"
		reason  = "package main\n\n\t// MK510: all supported runtimes honor it.\n"
		landing = "where the pods can land:\n  iis → win22"
	)
	for name, c := range map[string]struct {
		logs    []mocktest.Log
		program string
		want    []string
	}{
		"where pods can land is none": {logs: []mocktest.Log{{Severity: "info", Message: landing}}},
		"what a component says": {logs: []mocktest.Log{{
			Severity: "info",
			Message:  "2-node-to-pod asks Windows nodes",
		}}},
		"a silenced finding with why": {
			[]mocktest.Log{{Severity: "info", Message: "ignored: " + finding}},
			reason,
			nil,
		},
		"an info": {
			[]mocktest.Log{{Severity: "info", Message: finding}},
			"",
			[]string{"info: " + finding},
		},
		"an info that only is explained": {
			[]mocktest.Log{{Severity: "info", Message: finding}},
			reason,
			[]string{"a comment in main.go says why MK510 is silenced, but nothing breaks it", "info: " + finding},
		},
		"a warning": {
			[]mocktest.Log{{Severity: "warning", Message: finding}},
			"",
			[]string{"warning: " + finding},
		},
		"a log of something": {[]mocktest.Log{{Severity: "warning", Message: "slow"}}, "", []string{"warning: slow"}},
		"silenced without why": {
			[]mocktest.Log{
				{Severity: "info", Message: "ignored: " + finding},
				{Severity: "info", Message: "ignored: " + finding},
			},
			`"MK510: no comment"`,
			[]string{`MK510 is silenced, but no comment in main.go begins with "MK510: " and says why`},
		},
		"why without a finding": {
			nil, reason,
			[]string{"a comment in main.go says why MK510 is silenced, but nothing breaks it"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, problems(c.logs, c.program)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
