package refusal

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/internal/system/clock"
)

// reported has the names of the facts whose ages a run has checked, by the context of the run.
var reported sync.Map // weak.Pointer[pulumi.Context] to *checkedFacts

type checkedFacts struct {
	mu    sync.Mutex
	names map[string]bool
}

// NewFacts returns those of the names of facts with which it has not been called in this run of the program. The caller
// reports the old ones among them, so that a program with several clusters reports each once.
func NewFacts(ctx *pulumi.Context, names []string) []string {
	run := weak.Make(ctx)
	stored, known := reported.LoadOrStore(run, &checkedFacts{names: map[string]bool{}})
	if !known {
		runtime.AddCleanup(ctx, func(run weak.Pointer[pulumi.Context]) { reported.Delete(run) }, run)
	}
	facts, _ := stored.(*checkedFacts)
	facts.mu.Lock()
	defer facts.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		again := facts.names[name]
		facts.names[name] = true
		return again
	})
}

// LogFacts logs an info for a component if facts are old that it uses and no other component of the program has used.
// The facts are those whose value is true: a default that no argument replaces, for example.
func LogFacts(ctx *pulumi.Context, about pulumi.Resource, uses map[string]bool) error {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		if uses[name] {
			names = append(names, name)
		}
	}
	return Log(ctx, about, support.CheckFacts(clock.Today(), NewFacts(ctx, names)))
}
