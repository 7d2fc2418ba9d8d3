package guard

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// guard is what is known about one run of a program.
//
// A transform sees a resource before it is registered. One in Go cannot fail: so the guard logs its findings, makes
// sure that the resource does not reach the cluster, and ends the program with an error when everything has been
// seen.
//
// It takes as long as registering a resource that the engine gives the resource back to the program. In a preview the
// guard asks for that only where it has to:
//
//   - [guard.follow], a transformation in the process of the program, sees first what the program registers itself.
//     For typed arguments that are all known, and have nothing wrong, that is enough.
//   - A resource gets a transform of its own if it has transforms, which may change it, or if there is a finding. It
//     shares the transform with the resources below it.
//   - At the first sign that this is not enough, a transform of the stack sees all resources that follow. Signs are
//     an output among the inputs of an object, a component whose children another process registers, a transformation
//     that may run after the guard's, a parent that is not known, and a provider with methods. Whatever else the
//     program does, [guard.hidden] must not report less than that.
//
// [guard.followAlone] looks at everything that the program registers if no engine shows anything: under the mocks of
// the SDK, which panic when a transform of the stack is registered, and on an old engine.
//
// In an update, with [Args.Place], and in a program that has registered something before Enforce, the engine shows
// everything from the start: what is created is what it has seen last. A program that calls a method of a plugin
// without one of its components or providers ([pulumi.Context.Call]; no SDK does) gives no sign: the update sees what
// that registers, and the preview does not.
type guard struct {
	ctx      *pulumi.Context
	args     Args
	clusters []*cluster // nil until Enforce is called
	policy   *report.Policy
	toPlace  *report.Selector
	baseline baseline
	images   locked
	to       []*Report // where to write the report
	failure  error     // the error of the program itself
	refused  []refused // components with wrong arguments, in a preview

	logged map[string]bool // messages of findings that components have logged about their arguments

	alone     bool // no engine shows resources: the guard has only those that the program itself registers
	unwrapped bool // the guard does not see the program end either: each resource is late
	position  int  // of the guard's transformation among those of the stack, starting at 1

	mu         sync.Mutex
	registered []pulumi.Resource            // by the program itself, in its order
	followed   map[pulumi.Resource]followed // the registered ones that decide who shows their children
	looks      []pulumi.Output              // resolved when the guard has checked the resources that no engine shows
	parents    map[pulumi.Resource]bool     // resources with children, if no engine shows them
	rendered   []rendered                   // components that register what a call to the provider returns
	partly     bool                         // some resources were not seen
	failed     bool                         // the program is about to fail with an error of the guard, see [guard.fail]
	showsAll   bool                         // the engine shows all later resources
	unseen     error                        // why the engine does not show them
	looked     map[urn.URN]bool             // objects that were shown
	inside     int                          // how many of them the program itself showed
	early      []pulumi.Resource            // resources that were registered before Enforce
	seen       []*resource                  // Kubernetes objects
	judged     map[string]bool              // findings, by resource and text
	report     Report
	errors     int
	complete   bool // the program is complete; later resources are late
}

// resource is a Kubernetes resource of the program.
type resource struct {
	located
	name    string
	cluster *cluster
	object  *pods.Object
	outcome mutate.Outcome
}

// blocked reports whether there is a finding that must not be deployed.
func (g *guard) blocked() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.errors > 0
}

// wait returns when the engine has answered all resources that the program has registered, including those that it
// registers meanwhile, and the guard has checked them. The engine answers a component of another process after its
// children. It returns false if one of them has failed: resources that depend on it have not been registered.
func (g *guard) wait() bool {
	whole := true
	for next, looked := 0, 0; ; {
		g.mu.Lock()
		pending, looks := g.registered[next:], g.looks[looked:]
		next, looked = len(g.registered), len(g.looks)
		g.mu.Unlock()
		if len(pending) == 0 {
			return whole
		}
		for _, r := range pending {
			// Pulumi reports why.
			_, err := internals.UnsafeAwaitOutput(g.ctx.Context(), r.URN())
			whole = whole && err == nil
		}
		for _, looked := range looks {
			_, _ = internals.UnsafeAwaitOutput(g.ctx.Context(), looked) // it never fails
		}
	}
}

// finish runs the checks that need the complete program. A resource that a function registers later, after waiting for
// something other than resources, is checked alone.
func (g *guard) finish() error {
	if g.clusters == nil {
		return nil
	}
	whole := g.wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.complete = true
	g.across()
	g.judgeClusters(false)
	switch {
	case g.failure != nil:
		g.report.Problems = append(g.report.Problems, errors.New("the program has failed before its end"))
	case !whole:
		g.report.Problems = append(g.report.Problems,
			errors.New("a resource has failed, and what depends on it is not seen"))
	}
	g.notCheckedEarly()
	g.logRefused()
	if g.sums() {
		g.logLandings(g.seen)
		g.logAccepted()
	}
	err := errors.Join(g.unseen, g.publish())
	if g.errors > 0 {
		err = errors.Join(err, g.stopping())
	}
	return err
}

// sums reports whether the run shows the findings of the whole program: a preview does, and so do the SDK's mocks,
// under which no resource is stopped.
func (g *guard) sums() bool { return g.ctx.DryRun() || g.ctx.RunningWithMocks() }

// stopping returns the error that stops the program, with the findings so far.
func (g *guard) stopping() *Error {
	return &Error{
		Count: g.errors, Report: g.reported(), unlogged: g.ctx.RunningWithMocks(), unwrapped: g.unwrapped,
		arguments: g.refused,
	}
}

// contextKinds are the kinds on which rules about pods and their landings depend.
var contextKinds = [...]string{
	"RuntimeClass", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "StorageClass",
}

// see records a resource.
func (g *guard) see(r *resource, provider string) {
	g.seen = append(g.seen, r)
	r.cluster.used = true
	if r.cluster.others != nil {
		r.cluster.others[provider]++
	}
	switch kind := r.object.Kind; {
	case slices.Contains(contextKinds[:], kind):
		r.cluster.context = append(r.cluster.context, r.object)
	case strings.HasSuffix(kind, "List"):
		g.notChecked(r.at, "a list: register its objects one by one")
	}
}

// seenIn returns the resources of a cluster so far, and their objects.
func (g *guard) seenIn(c *cluster) (of []*resource, objects []*pods.Object) {
	for _, r := range g.seen {
		if r.cluster == c {
			of, objects = append(of, r), append(objects, r.object)
		}
	}
	return of, objects
}

// across logs the findings between the objects of each cluster that have not been logged yet.
func (g *guard) across() {
	for _, c := range g.clusters {
		of, objects := g.seenIn(c)
		found := c.checker.AcrossObjects(objects)
		for i, r := range of {
			g.log(r, g.judge(r, found[i]))
		}
	}
}
