package guard_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const (
	transformed = "it has resource transforms, or a resource above it has: without an engine they are not called, " +
		"and their changes are not known"
	ofOthers      = "another process registers what is below it, and is not run without an engine"
	unknownParent = "a resource above it is not known to the guard, and may have resource transforms"
	changedLater  = "a transformation of the stack that was registered after the guard's may change it"
	partly        = "without an engine that has resource transforms a part of the program is not seen: " +
		"see what is not checked"
	toWrap = "\n  there can be more findings: to see all of them, wrap the program: " +
		"pulumi.RunErr(guard.Program(program), pulumi.WithMocks(...))"
)

func TestUnderTheSDKsMocksOneErrorHasAllFindings(t *testing.T) {
	t.Parallel()
	for mode, options := range map[string][]pulumi.RunOption{"an update": nil, "a preview": {dryRun}} {
		found, mocks, err := mockedReport(guard.Args{Topology: mixed}, func(ctx *pulumi.Context) error {
			if err := twoMistakes(ctx); err != nil {
				return err
			}
			if _, err := pod(ctx, "old", windows(func(s *corev1.PodSpecArgs) {
				selector := topology.NodeSelector(platform.WindowsServer2022)
				selector["beta.kubernetes.io/os"] = "windows"
				s.NodeSelector = pulumi.ToStringMap(selector)
			})); err != nil {
				return err
			}
			_, err := corev1.NewNamespacePatch(ctx, "patch", nil)
			return err
		}, options...)
		const want = "mixedkube preflight: 2 errors\n" +
			"  kubernetes:core/v1:Pod::first: " + fsGroup + "\n" +
			"  kubernetes:core/v1:Pod::second: " + hostPID
		if err == nil || !golden.Contains(err.Error(), want+"\n") {
			t.Errorf("%s: the error is %v, want %s", mode, err, want)
		}
		stopping, ok := errors.AsType[*guard.Error](err)
		if !ok || cmp.Diff(want, stopping.Error(), golden.AnySentence) != "" || stopping.Count != 2 ||
			len(stopping.Report.Blocking()) != 2 {
			t.Errorf("%s: the guard's error is %v", mode, stopping)
		}
		if finding, ok := errors.AsType[*rule.FindingError](err); !ok || finding.Rule != "MK118" {
			t.Errorf("%s: the first finding is %v", mode, finding)
		}
		if diff := cmp.Diff([]string{"first", "old", "second", "third"}, mocks.registered()); diff != "" {
			t.Errorf("%s: registered (-want +got):\n%s", mode, diff)
		}
		var landed []string
		for _, l := range found.Landings {
			landed = append(landed, l.Workload+" → "+l.Text)
		}
		if diff := cmp.Diff([]string{
			"first → win22 (2 nodes)", "old → win22 (2 nodes)", "second → win22 (2 nodes)", "third → win22 (2 nodes)",
		}, landed); diff != "" {
			t.Errorf("%s: landings (-want +got):\n%s", mode, diff)
		}
		if found.Count(rule.Warning) != 1 || found.Objects != 4 || len(found.Problems) > 0 {
			t.Errorf("%s: %d warnings of %d objects, problems: %v", mode, found.Count(rule.Warning), found.Objects,
				found.Problems)
		}
		if diff := cmp.Diff([]string{"patch: a patch is only a part of an object"}, notChecked(found)); diff != "" {
			t.Errorf("%s: not checked (-want +got):\n%s", mode, diff)
		}
	}
}

// A test from before the guard runs the program unchanged.
func TestUnderTheSDKsMocksAProgramThatIsNotWrappedIsChecked(t *testing.T) {
	t.Parallel()
	for mode, options := range map[string][]pulumi.RunOption{"an update": nil, "a preview": {dryRun}} {
		mocks, err := mocked(enforcing(guard.Args{Topology: mixed}, func(ctx *pulumi.Context) error {
			return plain(ctx, nil)
		}), options...)
		if err != nil || len(mocks.registered()) != 1 {
			t.Errorf("%s: the right program: %v, registered %v", mode, err, mocks.registered())
		}
		mocks, err = mocked(enforcing(guard.Args{Topology: mixed}, func(ctx *pulumi.Context) error {
			wrong, err := pod(ctx, "wrong", windows(withHostPID))
			if err != nil {
				return err
			}
			// The test waits for the output that it asserts.
			asserted := make(chan bool)
			wrong.Spec.ApplyT(func(corev1.PodSpec) bool {
				close(asserted)
				return true
			})
			<-asserted
			return nil
		}), options...)
		stopping, ok := errors.AsType[*guard.Error](err)
		const want = "mixedkube preflight: 1 error\n  kubernetes:core/v1:Pod::wrong: " + hostPID + toWrap
		if !ok || cmp.Diff(want, stopping.Error(), golden.AnySentence) != "" || !golden.Contains(err.Error(), want) {
			t.Fatalf("%s: the error is %v, want %s", mode, err, want)
		}
		if len(mocks.registered()) != 1 {
			t.Errorf("%s: the Pod is not registered", mode)
		}
		if r := stopping.Report; len(r.Landings) != 1 || r.Objects != 1 {
			t.Errorf("%s: landings: %v of %d objects", mode, r.Landings, r.Objects)
		}
		if len(stopping.Report.Problems) != 1 || !strings.HasPrefix(stopping.Report.Problems[0].Error(),
			"the program is not wrapped in guard.Program: the children of components that were registered before") {
			t.Errorf("%s: problems: %v", mode, stopping.Report.Problems)
		}
	}
}

func TestUnderTheSDKsMocksResourcesBeforeEnforce(t *testing.T) {
	t.Parallel()
	program := func(ctx *pulumi.Context) error {
		if _, err := pod(ctx, "early", windows(withHostPID)); err != nil {
			return err
		}
		above, err := newBox(ctx, "above")
		if err != nil {
			return err
		}
		changed, err := newBox(ctx, "changed", pulumi.Transforms(spoil(nil)))
		if err != nil {
			return err
		}
		if err := guard.Enforce(ctx, guard.Args{}); err != nil {
			return err
		}
		if _, err := pod(ctx, "below", windows(withHostPID), pulumi.Parent(above)); err != nil {
			return err
		}
		_, err = pod(ctx, "transformed", windows(withHostPID), pulumi.Parent(changed))
		return err
	}
	var found guard.Report
	_, err := mocked(guard.Program(program, guard.ReportTo(&found)))
	if stopping, ok := errors.AsType[*guard.Error](err); !ok || stopping.Count != 1 {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff([]string{"below: " + hostPID}, findings(found), golden.AnySentence); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"early: was registered before guard.Enforce", "transformed: " + transformed,
	}, notChecked(found)); diff != "" {
		t.Errorf("not checked (-want +got):\n%s", diff)
	}
	// Neither an engine nor the program shows the guard the children of earlier components.
	if _, err := mocked(program); err != nil {
		t.Errorf("not wrapped: %v", err)
	}
}

// The guard awaits an output while the Pod is registered. A value that stays unknown disables only the rules about it.
func TestUnderTheSDKsMocksOutputsAreAwaited(t *testing.T) {
	t.Parallel()
	found, mocks, err := mockedReport(guard.Args{}, func(ctx *pulumi.Context) error {
		image, resolve, _ := ctx.NewOutput()
		spec := windows(withHostPID)
		spec.Containers = corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String("main"),
			Image: image.ApplyT(func(v any) string { return v.(string) }).(pulumi.StringOutput),
		}}
		if _, err := pod(ctx, "waits", spec); err != nil {
			return err
		}
		if _, err := pod(ctx, "next", windows(nil)); err != nil {
			return err
		}
		resolve("mcr.microsoft.com/windows/servercore:ltsc2019") // too late if the constructor waits
		unknown := windows(withHostPID)
		unknown.Subdomain = pulumi.UnsafeUnknownOutput(nil).
			ApplyT(func(any) *string { return nil }).(pulumi.StringPtrOutput)
		_, err := pod(ctx, "unknown", unknown)
		return err
	}, dryRun)
	if _, ok := errors.AsType[*guard.Error](err); !ok {
		t.Errorf("the error is %v", err)
	}
	var rules []string
	for _, f := range found.Findings {
		rules = append(rules, nameIn(f.Resource)+" "+f.Rule)
	}
	if diff := cmp.Diff([]string{"unknown MK111", "waits MK201", "waits MK111"}, rules); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if got := mocks.registered(); len(got) != 3 {
		t.Errorf("registered %v", got)
	}
}

// Under every runner, the guard reports what it cannot do.
func TestTheGuardNeverPanics(t *testing.T) {
	t.Parallel()
	made, err := pulumi.NewContext(context.Background(), pulumi.RunInfo{Project: "project", Stack: "stack"})
	if err != nil {
		t.Fatal(err)
	}
	withMocks, err := pulumi.NewContext(context.Background(), pulumi.RunInfo{Mocks: &echo{}})
	if err != nil {
		t.Fatal(err)
	}
	for name, ctx := range map[string]*pulumi.Context{
		"no context": nil, "an empty one": {}, "one without a program": made, "one with mocks": withMocks,
	} {
		if err := guard.Enforce(ctx, guard.Args{}); err == nil ||
			!strings.HasPrefix(err.Error(), "guard.Enforce: the program must be run by guard.Run") {
			t.Errorf("%s: Enforce says %v", name, err)
		}
		if err := guard.Program(twoMistakes)(ctx); err == nil ||
			err.Error() != "guard.Program: the context is not that of a program that runs" {
			t.Errorf("%s: Program says %v", name, err)
		}
	}
	// The SDK leaves out a parent that is not registered.
	found, _, err := mockedReport(guard.Args{}, func(ctx *pulumi.Context) error {
		return plain(ctx, withHostPID, pulumi.Parent(&box{}))
	})
	if len(found.Blocking()) != 1 {
		t.Errorf("below a parent that is not registered: %v", err)
	}
}
