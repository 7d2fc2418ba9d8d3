package report_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
)

// A policy lists the findings that a team has accepted. The report has all of them.
func Example() {
	policy := report.NewPolicy(preflight.Rules(), []report.Ignore{
		{Rules: []string{"MK111"}, Resources: []string{"Job/migrate-*"}, Reason: "until the move"},
	}, nil)
	var all report.Report
	for _, name := range []string{"migrate-orders", "import"} {
		job := map[string]any{
			"apiVersion": "batch/v1", "kind": "Job", "metadata": map[string]any{"name": name},
			"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
				"os": map[string]any{"name": "windows"}, "nodeSelector": map[string]any{"kubernetes.io/os": "windows"},
				"restartPolicy": "Never", "hostPID": true,
				"containers": []any{map[string]any{"name": "job", "image": "shop.example.com/job:1.4"}},
			}}},
		}
		for _, finding := range preflight.Check(job, preflight.Options{KubernetesVersion: "1.36"}) {
			all.Findings = append(all.Findings, policy.Judge(report.ObjectOf(job), finding))
		}
	}
	for _, f := range all.Findings {
		fmt.Printf("%s %s %s %q %q\n", f.Object, f.Rule, f.Severity, f.SuppressedBy, f.Reason)
	}
	fmt.Println("errors that are not ignored:", all.Count(rule.Error))
	// Output:
	// Job/migrate-orders MK111 error "ignore" "until the move"
	// Job/import MK111 error "" ""
	// errors that are not ignored: 1
}
