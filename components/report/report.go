package report

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
)

// Report is what is said about the objects of a program or of files.
type Report struct {
	// Findings are all of them, silenced ones as well. Those of a program are sorted by resource,
	// those of files are in the order of the files.
	Findings []Finding
	// Landings say where the pods of workloads can land, sorted by cluster and workload. A program
	// without a topology has none.
	Landings []Landing
	// NotChecked are the resources that were not looked at, sorted.
	NotChecked []NotChecked
	// Objects is how many objects were checked.
	Objects int
	// Checked are these objects, for [Report.WriteJUnit] alone: it is empty where nobody writes that.
	Checked []Checked
	// UnusedIgnores are those that have matched no finding. An update may have ended before it, so
	// that only a preview says them, and a unit test under the SDK's mocks.
	UnusedIgnores []Ignore
	// Fixed are the findings of the baseline that were not found. Who says UnusedIgnores says them.
	Fixed []Known
	// Problems say why not everything has been seen: files that cannot be read, a program that has
	// failed for another reason than the findings.
	Problems []error
	// Program is the file that stands for the program, Pulumi.yaml, as an absolute path; empty
	// for files.
	Program string
}

// Landing is where the pods of a workload can land.
type Landing struct {
	Object
	// Workload is the name for people, with the namespace where that is not the default one.
	Workload string
	// Pools are those where the pods can be scheduled and, as far as it is known, run; Perhaps
	// those of which it is not known whether the pods can be scheduled there.
	Pools, Perhaps []string
	// Refused are the other pools, in the order of the topology.
	Refused []Refused
	// Text says it in a line.
	Text string
}

// Refused is a pool where the pods of a workload cannot land.
type Refused struct {
	// Pool is the name of the pool.
	Pool string
	// Reasons say why not: "its taint os=windows:NoSchedule is not tolerated". There are none where a
	// secret decides.
	Reasons []string
}

// NotChecked is a resource that was not looked at.
type NotChecked struct {
	// Resource is its URN.
	Resource string
	// Reason says why it was not.
	Reason string
}

// Blocking are the errors that nobody silences.
func (r *Report) Blocking() []Finding {
	var errs []Finding
	for _, f := range r.Findings {
		if f.Blocks() {
			errs = append(errs, f)
		}
	}
	return errs
}

// Count is how many findings have a severity, those that somebody silences not among them.
func (r *Report) Count(severity rule.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == severity && !f.Silenced {
			n++
		}
	}
	return n
}

// Sort sorts the report of a program, whose resources come in no order.
func (r *Report) Sort() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), fielderrors.ComparePaths(a.Path, b.Path),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Detail, b.Detail))
	})
	slices.SortStableFunc(r.Landings, func(a, b Landing) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Workload, b.Workload),
			cmp.Compare(a.Resource, b.Resource))
	})
	slices.SortFunc(r.NotChecked, func(a, b NotChecked) int { return cmp.Compare(a.Resource, b.Resource) })
	r.NotChecked = slices.Compact(r.NotChecked) // it may have been seen in two ways
}
