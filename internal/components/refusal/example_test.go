package refusal_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

// A component sifts what its rules have found: errors become one error, the rest is logged.
func ExampleSift() {
	tooLong := rule.Rule{ID: "MK702", Severity: rule.Error}
	retired := rule.Rule{ID: "MK713", Severity: rule.Warning}
	var found rule.Findings
	found.Report(tooLong, rule.Problem{Path: "pools[1].name", Value: "windows", Detail: "7 characters, and 6 are allowed"})
	found.Report(retired, rule.Problem{Path: "pools[1].platform", Value: "windows-2019", Detail: "is retired"})
	count := field.Invalid(field.NewPath("pools").Index(0).Child("count"), -1, "must be at least 1")

	logged, err := refusal.Sift(`Cluster "shop"`, rule.NewSet(tooLong, retired), nil, found, field.ErrorList{count})
	fmt.Println(err)
	for _, finding := range logged {
		fmt.Println("log:", finding.Severity, finding)
	}
	// Output:
	// Cluster "shop":
	//   pools[0].count: Invalid value: -1: must be at least 1
	//   pools[1].name: "windows": 7 characters, and 6 are allowed (MK702)
	// log: warning pools[1].platform: "windows-2019": is retired (MK713)
}
