package exampletest

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// UnitTest runs the program as Pulumi documents unit tests (https://www.pulumi.com/docs/iac/guides/testing/unit/): with
// mocks that return inputs, and assertions inside ApplyT; here that the first resource of the type is for Windows,
// according to its output. The guard is added as a user adds it: the test passes, and fails with the guard's error if
// the pods have a field that Windows pods cannot have.
func UnitTest[R pulumi.Resource](t *testing.T, program pulumi.RunFunc, system func(R) pulumi.StringPtrOutput) {
	t.Helper()
	cluster := labTopology(t)
	enforcing := func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, guard.Args{Topology: cluster}); err != nil {
			return err
		}
		return program(ctx)
	}
	const sentence = "hostPID: Forbidden: cannot be set for a windows pod: remove it (MK111)"
	for how, run := range map[string]pulumi.RunFunc{"wrapped": guard.Program(enforcing), "not wrapped": enforcing} {
		if err := asserted(t, run, system, false); err != nil {
			t.Errorf("%s: %v", how, err)
		}
		err := asserted(t, run, system, true)
		stopped, ok := errors.AsType[*guard.Error](err)
		if !ok || stopped.Count == 0 || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%s: the broken program ends with %v", how, err)
		}
	}
}

// asserted runs such a test.
func asserted[R pulumi.Resource](
	t *testing.T, program pulumi.RunFunc, system func(R) pulumi.StringPtrOutput, broken bool,
) error {
	t.Helper()
	return pulumi.RunErr(func(ctx *pulumi.Context) error {
		// The programs of the examples return no resources.
		var about []R
		if err := ctx.RegisterStackTransformation(func(
			args *pulumi.ResourceTransformationArgs,
		) *pulumi.ResourceTransformationResult {
			r, ok := args.Resource.(R)
			if !ok {
				return nil
			}
			about = append(about, r)
			if !broken {
				return nil
			}
			return &pulumi.ResourceTransformationResult{Props: withHostPID(t, args.Props), Opts: args.Opts}
		}); err != nil {
			return err
		}
		if err := program(ctx); err != nil {
			return err
		}
		if len(about) == 0 {
			t.Fatal("the program has no such resource")
		}

		var wg sync.WaitGroup
		wg.Add(1)
		pulumi.All(about[0].URN(), system(about[0])).ApplyT(func(all []any) error {
			if name, _ := all[1].(*string); name == nil || *name != "windows" {
				t.Errorf("%v is not for Windows", all[0])
			}
			wg.Done()
			return nil
		})
		wg.Wait()
		return nil
	}, pulumi.WithMocks("project", "stack", echo{}))
}

// withHostPID sets it in the pods of a resource.
func withHostPID(t *testing.T, props pulumi.Input) pulumi.Input {
	t.Helper()
	object, _ := input.Tree(props).(map[string]any)
	kind, _ := tree.Text(object["kind"])
	path, ok := pods.Template(kind)
	if !ok {
		t.Fatalf("a %s has no pods", kind)
	}
	edited, err := input.Edit(props, []mutate.Edit{{Path: append(path, "spec", "hostPID"), Value: true}})
	if err != nil {
		t.Fatal(err)
	}
	return edited
}
