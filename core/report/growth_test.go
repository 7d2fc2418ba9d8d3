package report_test

import (
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
)

// findings returns a report with n findings about one object, of which half are warnings.
func findings(n int) *report.Report {
	r := &report.Report{}
	for i := range n {
		f := report.Finding{File: "a.yaml", Line: i + 1}
		f.Kind, f.Name, f.Rule, f.Severity = "Pod", "a", "MK104", rule.Error
		f.Path, f.Detail, f.Fix = fmt.Sprintf("spec.field%d", i), "is not a field of a PodSpec", "remove it"
		if i%2 == 0 {
			f.Severity = rule.Warning
		}
		r.Findings = append(r.Findings, f)
	}
	return r
}

// One object can have tens of thousands of findings: the memory of each format grows with them, not with their square.
func TestTheMemoryOfReportsGrowsWithTheFindings(t *testing.T) { //nolint:paralleltest // it counts allocations
	for name, write := range map[string]func(*report.Report) error{
		"json":   func(r *report.Report) error { return r.WriteJSON(io.Discard) },
		"sarif":  func(r *report.Report) error { return r.WriteSARIF(io.Discard, nil, "") },
		"junit":  func(r *report.Report) error { return r.WriteJUnit(io.Discard) },
		"gitlab": func(r *report.Report) error { return r.WriteCodeQuality(io.Discard, "") },
	} {
		memory := func(n int) uint64 {
			r := findings(n)
			var begin, end runtime.MemStats
			runtime.ReadMemStats(&begin)
			if err := write(r); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&end)
			return end.TotalAlloc - begin.TotalAlloc
		}
		if once, fourfold := memory(1000), memory(4000); fourfold > 6*once {
			t.Errorf("%s: 1,000 findings take %d bytes, 4,000 take %d", name, once, fourfold)
		}
	}
}
