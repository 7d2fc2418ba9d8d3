package exampletest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

func TestProblems(t *testing.T) {
	t.Parallel()
	const (
		finding = "spec.terminationGracePeriodSeconds: … (MK510)"
		reason  = "package main\n\n\t// MK510: all supported runtimes honor it.\n"
		landing = "where the pods can land:\n  iis → win22"
	)
	for name, c := range map[string]struct {
		logs    []mocktest.Log
		program string
		want    []string
	}{
		"where pods can land is not a problem": {logs: []mocktest.Log{{Severity: "info", Message: landing}}},
		"a message of a component": {logs: []mocktest.Log{{
			Severity: "info",
			Message:  "2-node-to-pod asks Windows nodes",
		}}},
		"a suppressed finding with a reason": {
			[]mocktest.Log{{Severity: "info", Message: "ignored: " + finding}},
			reason,
			nil,
		},
		"an info": {
			[]mocktest.Log{{Severity: "info", Message: finding}},
			"",
			[]string{"info: " + finding},
		},
		"an API server that everyone can connect to": {
			[]mocktest.Log{{Severity: "info", Message: "apiServer.authorizedIPRanges: not set (MK770)"}}, "", nil,
		},
		"an info with a reason that is not suppressed": {
			[]mocktest.Log{{Severity: "info", Message: finding}},
			reason,
			[]string{
				"a comment in main.go explains why MK510 is suppressed, but nothing violates it", "info: " + finding,
			},
		},
		"a warning": {
			[]mocktest.Log{{Severity: "warning", Message: finding}},
			"",
			[]string{"warning: " + finding},
		},
		"another warning": {[]mocktest.Log{{Severity: "warning", Message: "slow"}}, "", []string{"warning: slow"}},
		"suppressed without a reason": {
			[]mocktest.Log{
				{Severity: "info", Message: "ignored: " + finding},
				{Severity: "info", Message: "ignored: " + finding},
			},
			`"MK510: no comment"`,
			[]string{`MK510 is suppressed, but no comment in main.go begins with "MK510: " and a reason`},
		},
		"a reason without a finding": {
			nil, reason,
			[]string{"a comment in main.go explains why MK510 is suppressed, but nothing violates it"},
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
