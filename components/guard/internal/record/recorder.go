// Package record judges the Kubernetes objects of a program, shows what it finds in the log of the engine, and reports
// it. It does not know how the objects are seen: package watch shows them to a [Recorder] one by one.
package record

import (
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
)

// Options are the arguments of a recorder.
type Options struct {
	Clusters []Cluster // the first one has the objects of all providers that are not listed
	Rules    rule.Set  // all that are checked
	Ignore   []report.Ignore
	Advisory bool             // errors stop nothing
	Place    *Placing         // nil if pods stay unchanged
	Baseline Baseline         // known findings
	Images   Images           // facts about images
	SARIF    string           // the path of a file to write, "" if there is none
	Reports  []*report.Report // where to write the report

	// Logged reports whether a component has logged a message about its arguments.
	Logged func(message string) bool
	// Endless is why nothing calls [Recorder.Finish], or nil. Then each object is judged with those before it only.
	Endless error
	// Stopping returns the error that stops the program.
	Stopping func(Stopped) error
}

// Placing selects the objects that are completed. The default is all.
type Placing struct {
	Only   []report.Selection
	Policy mutate.Policy
}

// Stopped is what is known when a program is stopped.
type Stopped struct {
	Errors   int
	Report   report.Report
	Refused  []error // errors of components about their arguments
	Endless  bool    // there can be more findings
	Unlogged bool    // the SDK's mocks discard the log
}

// Unseen is a resource that cannot be checked.
type Unseen struct {
	At      urn.URN
	Reason  string
	Problem error // why the report is incomplete then
	Until   any   // if not nil, the resource is unseen until Arrived is called with this
}

// phase is how much of the program has been seen.
type phase int

const (
	running phase = iota // the end of the program shows what is wrong between its objects
	ended                // an object that comes now is late: it is judged and reported alone
	endless              // the end will not be seen: each object is judged alone, and the first error stops the program
)

// Recorder is what is known about one run of a program. Its methods can be called at the same time.
type Recorder struct {
	ctx      *pulumi.Context
	options  Options
	clusters clusters
	toPlace  *report.Selector // nil if pods stay unchanged

	mu      sync.Mutex
	phase   phase
	looked  map[urn.URN]bool // objects that were shown
	journal journal
	report  report.Report // without what follows from the other fields
	awaited []Unseen      // with Until
	refused []refused
	failure error // with which a program fails that can no longer return an error
}

// New returns a recorder. Nothing is logged before [Recorder.Open].
func New(ctx *pulumi.Context, o Options) *Recorder {
	r := &Recorder{
		ctx: ctx, options: o, clusters: newClusters(o.Clusters), looked: map[urn.URN]bool{},
		journal: journal{
			ctx: ctx, policy: report.NewPolicy(o.Rules, o.Ignore, o.Baseline.Known), advisory: o.Advisory,
			once: map[string]bool{},
		},
	}
	if o.Baseline.Writing {
		r.journal.policy.Learn(o.Baseline.Path)
	}
	if o.Place != nil {
		r.toPlace = report.NewSelector(o.Place.Only)
	}
	if o.Endless != nil {
		r.phase, r.report.Problems = endless, []error{o.Endless}
	}
	return r
}

// sums reports whether the run shows the findings of the whole program: a preview does, and so do the SDK's mocks,
// under which no resource is stopped.
func (r *Recorder) sums() bool { return r.ctx.DryRun() || r.ctx.RunningWithMocks() }

// ByProvider reports whether the provider of an object decides about its cluster.
func (r *Recorder) ByProvider() bool { return len(r.clusters) > 1 }

// Places reports whether the recorder completes pods.
func (r *Recorder) Places() bool { return r.options.Place != nil }

// Blocked reports whether there is a finding that must not be deployed.
func (r *Recorder) Blocked() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.journal.errors > 0
}

// refused is a component with wrong arguments.
type refused struct {
	component pulumi.Resource
	err       error
}

// notChecked reports a resource that is not checked.
func (r *Recorder) notChecked(at urn.URN, reason string) {
	r.report.NotChecked = append(r.report.NotChecked, report.NotChecked{Resource: string(at), Reason: reason})
}
