package guard_test

import (
	"errors"
	"strings"
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	preview500 "github.com/mixedkube/mixedkube/components/guard/testdata/preview500/shop"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
)

// A component leaves its mistakes to the guard only if the guard sees them or names what it does not see. In a program
// that is not wrapped, the mistake of the component with transforms would not be reported.
func TestUnderTheSDKsMocksAComponentRefusesItsOwnMistakesIfNotWrapped(t *testing.T) {
	t.Parallel()
	program := func(opts ...pulumi.ResourceOption) pulumi.RunFunc {
		return enforcing(guard.Args{Topology: mixed}, func(ctx *pulumi.Context) error {
			_, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
				Platform: platform.WindowsServer2022, Metadata: preview500.Metadata("web"),
				Spec: wrong("web"),
			}, opts...)
			return err
		})
	}
	const path = "spec.template.spec.hostPID"
	for name, opts := range map[string][]pulumi.ResourceOption{
		"without transforms": nil, "with transforms": {pulumi.Transforms(spoil(nil))},
	} {
		_, err := mocked(program(opts...))
		if finding, ok := errors.AsType[*rule.FindingError](err); !ok || finding.Path != path {
			t.Errorf("not wrapped, %s: the error is %v", name, err)
		}
		if stopping, ok := errors.AsType[*guard.Error](err); ok {
			t.Errorf("not wrapped, %s: the guard's error is %v", name, stopping)
		}
	}
	_, err := mocked(guard.Program(program()))
	stopping, ok := errors.AsType[*guard.Error](err)
	if finding, found := errors.AsType[*rule.FindingError](err); !ok || !found || finding.Path != path ||
		stopping.Count != 1 {
		t.Errorf("wrapped: the error is %v", err)
	}
}

// wrong returns a Deployment with a mistake.
func wrong(name string) appsv1.DeploymentSpecArgs {
	return preview500.Spec(name, corev1.PodSpecArgs{HostPID: pulumi.Bool(true)})
}

func TestUnderTheSDKsMocksEnforceIsRefusedTheSecondTime(t *testing.T) {
	t.Parallel()
	twice := enforcing(guard.Args{}, enforcing(guard.Args{}, twoMistakes))
	for name, program := range map[string]pulumi.RunFunc{"wrapped": guard.Program(twice), "not wrapped": twice} {
		mocks, err := mocked(program)
		const want = "guard.Enforce is called twice: one call covers all resources of the program"
		if err == nil || strings.Count(err.Error(), want) != 1 {
			t.Errorf("%s: the error is %v, want %s", name, err, want)
		}
		if got := mocks.registered(); len(got) > 0 {
			t.Errorf("%s: registered %v", name, got)
		}
	}
	// A call that refuses its arguments has not begun, and the program may have transformations of its own.
	again := func(ctx *pulumi.Context) error {
		if err := ctx.RegisterStackTransformation(unchanged); err != nil {
			return err
		}
		if err := guard.Enforce(ctx, guard.Args{KubernetesVersion: "latest"}); err == nil {
			t.Error("the version passes")
		}
		return enforcing(guard.Args{}, twoMistakes)(ctx)
	}
	_, err := mocked(again)
	if _, ok := errors.AsType[*guard.Error](err); !ok {
		t.Errorf("after one that has failed: the error is %v", err)
	}
}

func unchanged(*pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult { return nil }
