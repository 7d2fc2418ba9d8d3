package runtimeclass

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// runsHooks are the versions of Pulumi whose engine runs hooks of resources and returns its version: see
// https://github.com/pulumi/pulumi/releases/tag/v3.182.0. With an older engine the SDK would leave out a resource with
// a hook.
const runsHooks = ">=3.217.0"

// reportingMoves returns the option of the set's classes that warns in previews and updates if a class selects other
// nodes. Pulumi's older engines, and mocks, run no hooks: there it is empty.
func reportingMoves(ctx *pulumi.Context, set pulumi.Resource) ([]pulumi.ResourceOption, error) {
	if ctx.RunningWithMocks() {
		return nil, nil
	}
	if err := ctx.RequirePulumiVersion(runsHooks); err != nil {
		return nil, nil //nolint:nilerr // A warning less is no reason to fail.
	}
	urn, err := internals.UnsafeAwaitOutput(ctx.Context(), set.URN())
	if err != nil {
		return nil, err
	}
	// Two sets can have the same name, but not the same URN.
	hook, err := ctx.RegisterResourceHook(fmt.Sprint(urn.Value, "/moves"), func(args *pulumi.ResourceHookArgs) error {
		text := moved(args.OldInputs, args.NewInputs)
		if text == "" {
			return nil
		}
		return ctx.Log.Warn(escape.Lines(text), nil)
	}, &pulumi.ResourceHookOptions{OnDryRun: true, IgnoreErrors: true})
	if err != nil {
		return nil, err
	}
	return []pulumi.ResourceOption{
		pulumi.ResourceHooks(&pulumi.ResourceHookBinding{BeforeUpdate: []*pulumi.ResourceHook{hook}}),
	}, nil
}

// moved explains what a class that selects other nodes means for existing pods; "" if it selects the same ones.
func moved(before, after resource.PropertyMap) string {
	was, is := selectorOf(before), selectorOf(after)
	if was == is {
		return ""
	}
	return fmt.Sprintf("the RuntimeClass %s will select %s, no longer %s: existing pods keep what admission gave "+
		"them. Restart those that must move, for example with `kubectl rollout restart`; create Pods and Jobs again",
		nameOf(after), is, was)
}

func nameOf(class resource.PropertyMap) string {
	metadata := class["metadata"]
	if !metadata.IsObject() || !metadata.ObjectValue()["name"].IsString() {
		return ""
	}
	return metadata.ObjectValue()["name"].StringValue()
}

// selectorOf returns the node selector of a class as text.
func selectorOf(class resource.PropertyMap) string {
	scheduling := class["scheduling"]
	if !scheduling.IsObject() || !scheduling.ObjectValue()["nodeSelector"].IsObject() {
		return "all nodes"
	}
	var labels []string
	for key, value := range scheduling.ObjectValue()["nodeSelector"].ObjectValue() {
		if value.IsString() {
			labels = append(labels, string(key)+"="+value.StringValue())
		}
	}
	slices.Sort(labels)
	return strings.Join(labels, ",")
}
