// Package watch sees the Kubernetes resources of a program, and shows them to a recorder. There are two ways: an
// [Engine] shows them to transforms, and where no engine does, [Alone] has those that the program itself registers.
package watch

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
)

// Recorder judges what a watcher shows it: see [record.Recorder].
type Recorder interface {
	Open() error
	ByProvider() bool
	Places() bool
	Check(o record.Object, properties func() map[string]any) record.Verdict
	Pass(o record.Object, properties map[string]any) bool
	Problem(err error)
	Missed(u record.Unseen)
	Arrived(until any)
}

// Watcher sees the resources of a program.
type Watcher interface {
	// Begin opens a recorder, and shows it the resources that are registered later.
	Begin(r Recorder) error
	// Wait returns when the engine has answered all resources that the program has registered, including those that it
	// registers meanwhile, and the recorder has seen them.
	Wait() record.End
}

// New begins to follow what the program registers.
func New(ctx *pulumi.Context) (Watcher, error) {
	if shows(ctx) {
		return newEngine(ctx)
	}
	return newAlone(ctx)
}
