package report_test

import (
	"fmt"
	"os"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/components/report"
	"github.com/mixedkube/mixedkube/components/rule"
)

// A policy says which findings a team has accepted. The report has all of them.
func Example() {
	policy := report.NewPolicy(preflight.Rules(), []report.Ignore{
		{Rules: []string{"MK514"}, Resources: []string{"Job/migrate-*"}, Reason: "it runs once"},
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
		fmt.Println(f.Object, f.Rule, f.Severity, f.SilencedBy, f.Reason)
	}
	fmt.Println(len(all.Blocking()), "block,", all.Count(rule.Error), "errors")
	all.Findings = all.Blocking()[:1]
	if err := all.WriteJUnit(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Job/migrate-orders MK111 error
	// Job/import MK111 error
	// 2 block, 2 errors
	// <?xml version="1.0" encoding="UTF-8"?>
	// <testsuites name="mixedkube" tests="1" failures="1" errors="0">
	//   <testsuite name="program" tests="1" failures="1" errors="0">
	//     <testcase name="Job/migrate-orders" classname="program">
	//       <failure message="spec.template.spec.hostPID: Forbidden: cannot be set for a windows pod: remove it (MK111)" type="MK111">spec.template.spec.hostPID: Forbidden: cannot be set for a windows pod: remove it (MK111)&#xA;  https://github.com/mixedkube/mixedkube/blob/main/docs/rules/pods.md#mk111</failure>
	//     </testcase>
	//   </testsuite>
	// </testsuites>
}
