package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
)

func TestJSONHasAllFieldsOfAFinding(t *testing.T) {
	t.Parallel()
	loud := rule.Finding{
		Rule: "MK9001", Severity: rule.Warning, Path: "spec.color", Value: "red\x1b", Detail: "is <loud>",
		Fix: "write gray",
	}
	ignored := loud
	ignored.Suppressed, ignored.Value, ignored.Fix = true, nil, ""
	r := &report.Report{Findings: []report.Finding{
		{
			Finding: loud, Object: report.Object{Kind: "Deployment", Namespace: "shop", Name: "web"},
			File: "deploy/web.yaml", Line: 3,
		},
		{
			Finding: ignored, Object: report.Object{Kind: "Pod", Name: "p"}, File: "p.yaml", Line: 1,
			SuppressedBy: report.ByObject, Reason: "annotation mixedkube.dev/ignore",
		},
	}}
	var text strings.Builder
	if err := r.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	want := `[
  {
    "file": "deploy/web.yaml",
    "line": 3,
    "kind": "Deployment",
    "namespace": "shop",
    "name": "web",
    "rule": "MK9001",
    "severity": "warning",
    "path": "spec.color",
    "value": "red\u001b",
    "message": "\"red\\x1b\": is <loud>",
    "fix": "write gray",
    "suppressed": false,
    "suppressedBy": "",
    "reason": "",
    "resource": "",
    "cluster": "",
    "environments": [],
    "also": []
  },
  {
    "file": "p.yaml",
    "line": 1,
    "kind": "Pod",
    "namespace": "",
    "name": "p",
    "rule": "MK9001",
    "severity": "warning",
    "path": "spec.color",
    "value": null,
    "message": "is <loud>",
    "fix": "",
    "suppressed": true,
    "suppressedBy": "object",
    "reason": "annotation mixedkube.dev/ignore",
    "resource": "",
    "cluster": "",
    "environments": [],
    "also": []
  }
]
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("the JSON (-want +got):\n%s", diff)
	}
}
