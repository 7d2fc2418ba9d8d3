package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
)

// loud returns a finding of an invented rule.
func loud(line int, severity preflight.Severity, object report.Object) report.Finding {
	f := report.Finding{Object: object, File: "deploy/web.yaml", Line: line}
	f.Rule, f.Severity, f.Path = "MK9001", severity, "spec.color"
	f.Value, f.Detail, f.Fix = "red", "is loud", "write gray"
	return f
}

func TestFindingsAsText(t *testing.T) {
	t.Parallel()
	web := report.Object{Kind: "Deployment", Namespace: "shop", Name: "web"}
	quiet := loud(4, preflight.Info, web)
	quiet.Rule, quiet.Value, quiet.Fix = "MK9002", nil, ""
	ignored := loud(5, preflight.Error, web)
	ignored.Suppressed, ignored.SuppressedBy, ignored.Reason = true, report.ByObject, "annotation"
	known := loud(6, preflight.Error, web)
	known.Suppressed, known.SuppressedBy = true, report.ByBaseline
	hostile := loud(7, preflight.Warning, report.Object{Kind: "Pod", Name: "a\x1b[2K"})
	hostile.Path, hostile.Value, hostile.Detail = "spec[b\x07]", "c\u202e", "is\nloud"
	topology := loud(8, preflight.Warning, report.Object{})
	topology.File, topology.Path = "topology.yaml", "pools[0].size"
	other := quiet
	other.File = "deploy/other.yaml"

	var text strings.Builder
	err := writeText(&text, &report.Report{Findings: []report.Finding{
		loud(3, preflight.Error, web), quiet, quiet, quiet, ignored, known, hostile, topology, other,
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `deploy/web.yaml:3: Deployment/shop/web: error: spec.color: "red": is loud: write gray (MK9001)
deploy/web.yaml:4: Deployment/shop/web: info: spec.color: is loud (MK9002) [and 2 more in this file]
deploy/web.yaml:5: Deployment/shop/web: error (suppressed): spec.color: "red": is loud: write gray (MK9001)
deploy/web.yaml:7: Pod/a\x1b[2K: warning: spec[b\a]: "c\u202e": is\nloud: write gray (MK9001)
topology.yaml:8: warning: pools[0].size: "red": is loud: write gray (MK9001)
deploy/other.yaml:4: Deployment/shop/web: info: spec.color: is loud (MK9002)
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("the text (-want +got):\n%s", diff)
	}
}
