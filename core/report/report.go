package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Report is the result of checking the objects of a program or of files.
type Report struct {
	// Findings are all findings, including suppressed ones. The findings of a program are sorted by resource, those of
	// files are in the order of the files.
	Findings []Finding
	// Landings are where the pods of workloads can be scheduled, sorted by cluster and workload. A program without a
	// topology has none.
	Landings []Landing
	// NotChecked are the resources that were not checked, sorted.
	NotChecked []NotChecked
	// Objects is the number of objects that were checked.
	Objects int
	// Checked are these objects. Only [Report.WriteJUnit] needs it; it is empty for other formats.
	Checked []Checked
	// UnusedIgnores are the ignores that have matched no finding. An update can stop before it reaches all findings, so
	// only a preview, and a unit test under the SDK's mocks, report them.
	UnusedIgnores []Ignore
	// Fixed are the findings of the baseline that were not found. They are reported whenever UnusedIgnores are.
	Fixed []Known
	// Problems are the reasons why the check is incomplete: files that could not be read, or a program that failed for
	// another reason than the findings.
	Problems []error
	// NotRead are files that were found, such as a configuration, and not read.
	NotRead []NotRead
	// Left are documents of files that are not ordinary manifests: most were left alone.
	Left []LeftAlone
	// Program is the file to report for a program, Pulumi.yaml, as an absolute path; it is empty for files.
	Program string
}

// Landing is where the pods of a workload can be scheduled.
type Landing struct {
	Object
	// Workload is the display name of the workload, with its namespace unless that is the default one.
	Workload string
	// Pools are the pools where the pods can be scheduled and, if that is known, run. Perhaps are the pools for which
	// it is unknown whether the pods can be scheduled there.
	Pools, Perhaps []string
	// Refused are the other pools, in the order of the topology.
	Refused []Refused
	// Text is the landing on one line.
	Text string
}

// String returns the workload and the landing on one line: "shop/web → win22 (2 nodes)".
func (l Landing) String() string { return l.Workload + " → " + l.Text }

// Refused is a pool where the pods of a workload cannot run.
type Refused struct {
	// Pool is the name of the pool.
	Pool string
	// Reasons are why not: "its taint os=windows:NoSchedule is not tolerated". The list is empty if the reason is
	// secret.
	Reasons []string
}

// NotChecked is a resource that was not checked.
type NotChecked struct {
	// Resource is the URN of the resource.
	Resource string
	// Reason is why it was not checked.
	Reason string
}

// NotRead is a file that was found, not named, and was not read because of its owner.
type NotRead struct {
	// File is the path of the file, with forward slashes.
	File string
	// Reason is why it was not read, and Fix is how to read it.
	Reason, Fix string
}

// String returns the note on one line.
func (n NotRead) String() string { return n.File + ": " + n.Reason + ", and is not read: " + n.Fix }

// LeftAlone is a document, or several of one kind, that is not an ordinary manifest.
type LeftAlone struct {
	// File is the path of the file, with forward slashes, and Line where the document begins.
	File string
	Line int
	// Kind is what the document is, such as "kustomize patch", and Why the reason why it was left alone.
	Kind, Why string
	// By is the file that decides it, "" for the document itself.
	By string
	// Read means that the document was read, and Why says how.
	Read bool
}

// String returns the note on one line.
func (l LeftAlone) String() string {
	article, done := "a ", "left alone"
	if l.Kind != "" && strings.ContainsRune("aeio", rune(l.Kind[0])) {
		article = "an "
	}
	if l.Read {
		done = "read"
	}
	text := "is " + article + l.Kind
	if l.By != "" {
		text += " of " + l.By
	}
	return text + ", and " + done + ": " + l.Why
}

// Blocking returns the errors that are not suppressed.
func (r *Report) Blocking() []Finding {
	var errs []Finding
	for _, f := range r.Findings {
		if f.Blocks() {
			errs = append(errs, f)
		}
	}
	return errs
}

// Count returns the number of findings with a severity, without suppressed ones.
func (r *Report) Count(severity rule.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == severity && !f.Suppressed {
			n++
		}
	}
	return n
}

// Sort sorts the report of a program, whose resources arrive in no defined order.
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
	r.NotChecked = slices.Compact(r.NotChecked) // a resource may have been seen in two ways
}
