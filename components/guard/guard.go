package guard

import (
	"errors"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/pods"
)

// guard is what is known about one run of a program.
type guard struct {
	ctx     *pulumi.Context
	args    Args
	checker *preflight.Checker // nil until Enforce is called
	failure error              // the program's own

	mu         sync.Mutex
	registered []pulumi.Resource            // by the program itself, in their order
	followed   map[pulumi.Resource]followed // those of them that tell who shows their children
	showsAll   bool                         // the engine shows all resources from now on
	unseen     error                        // why it does not
	looked     map[urn.URN]bool             // of the objects that have been shown
	inside     int                          // how many of them the program has shown itself
	seen       []*resource                  // Kubernetes' objects
	context    []*pods.Object               // those of them that rules about others look at
	logged     map[string]bool
	errors     int
	complete   bool // everything has been looked at; what comes now is late
}

// resource is a Kubernetes resource of the program.
type resource struct {
	located
	name    string
	object  *pods.Object
	outcome mutate.Outcome
	// misannotated says that Place leaves the pods alone for what is wrong with their annotation.
	misannotated bool
}

// blocked says whether something was found that must not be deployed.
func (g *guard) blocked() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.errors > 0
}

// wait returns when the engine has answered all resources that the program has
// registered, those that it registers meanwhile included. A component of another
// process is answered when its children have been.
func (g *guard) wait() {
	for next := 0; ; {
		g.mu.Lock()
		pending := g.registered[next:]
		next = len(g.registered)
		g.mu.Unlock()
		if len(pending) == 0 {
			return
		}
		for _, r := range pending {
			// One that failed is done too; Pulumi reports why.
			_, _ = internals.UnsafeAwaitOutput(g.ctx.Context(), r.URN())
		}
	}
}

// finish looks at what can be seen only when the program is complete. A resource
// that is registered later, by a function that waits for something else than
// resources, is looked at on its own.
func (g *guard) finish() error {
	if g.checker == nil {
		return nil
	}
	g.wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.complete = true
	g.across()
	if g.ctx.DryRun() {
		g.logLandings(g.seen)
	}
	if g.errors > 0 {
		return errors.Join(g.unseen, &Error{g.errors})
	}
	return g.unseen
}

// see remembers a resource.
func (g *guard) see(r *resource) {
	g.seen = append(g.seen, r)
	switch r.object.Kind {
	case "RuntimeClass", "Namespace":
		g.context = append(g.context, r.object)
	}
}

// across logs what is wrong between the objects, and has not been logged yet.
func (g *guard) across() {
	objects := make([]*pods.Object, len(g.seen))
	for i, r := range g.seen {
		objects[i] = r.object
	}
	found := g.checker.AcrossObjects(objects)
	for i, r := range g.seen {
		g.log(r, found[i])
	}
}
