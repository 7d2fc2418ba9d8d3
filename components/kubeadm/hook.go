package kubeadm

import (
	"context"
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
)

// runsHooks are the versions of Pulumi whose engine runs the hooks of resources (since 3.182.0,
// https://github.com/pulumi/pulumi/releases/tag/v3.182.0) and those of errors (since 3.217.0),
// replaces resources with others, and returns its version. With an older engine the SDK would
// silently leave out every resource with a hook, and Pulumi would delete it.
const runsHooks = ">=3.217.0"

// requireHooks returns an error if hooks would not run. Under the SDK's mocks no hook runs.
func requireHooks(ctx *pulumi.Context) error {
	if ctx.RunningWithMocks() {
		return nil
	}
	if err := ctx.RequirePulumiVersion(runsHooks); err != nil {
		return fmt.Errorf("kubeadm: a cluster needs Pulumi %s, which runs the hooks that let machines join: "+
			"upgrade Pulumi (%w)", runsHooks, err)
	}
	return nil
}

// hookNames is the prefix of the names of a component's hooks: its URN, because two components can
// have the same name. All resources of the component share a hook.
type hookNames struct{ urn string }

func newHookNames(ctx *pulumi.Context, component pulumi.Resource) (hookNames, error) {
	var urn pulumi.URN
	err := valueOf(ctx.Context(), component.URN(), &urn)
	return hookNames{string(urn)}, err
}

// register registers a hook. It returns nil under the SDK's mocks, which run no hook. No hook runs
// in a preview.
func (h hookNames) register(
	ctx *pulumi.Context, name string, run func(context.Context, *pulumi.ResourceHookArgs) error,
	options *pulumi.ResourceHookOptions,
) (*pulumi.ResourceHook, error) {
	if ctx.RunningWithMocks() {
		return nil, nil
	}
	return ctx.RegisterResourceHook(h.urn+"/"+name,
		func(args *pulumi.ResourceHookArgs) error { return run(ctx.Context(), args) }, options)
}

// registerError registers a hook that runs when an operation of a resource has failed. It returns nil
// under the SDK's mocks.
func (h hookNames) registerError(
	ctx *pulumi.Context, name string, run func(context.Context, *pulumi.ErrorHookArgs) (bool, error),
) (*pulumi.ErrorHook, error) {
	if ctx.RunningWithMocks() {
		return nil, nil
	}
	return ctx.RegisterErrorHook(h.urn+"/"+name,
		func(args *pulumi.ErrorHookArgs) (bool, error) { return run(ctx.Context(), args) })
}

// adminAPI is the API server of a cluster, with an administrator's credentials. A resource whose
// hook uses it must depend on the resources that the kubeconfig depends on: then the kubeconfig is
// known.
type adminAPI struct{ kubeconfig func() pulumi.StringOutput }

// with calls do with a client.
func (a adminAPI) with(ctx context.Context, do func(*kubeapi.Client) error) error {
	var kubeconfig string
	if err := valueOf(ctx, a.kubeconfig(), &kubeconfig); err != nil {
		return err
	}
	client, err := kubeapi.NewClient(kubeconfig)
	if err != nil {
		return err
	}
	defer client.Close()
	return do(client)
}

var errNotKnown = errors.New("a value that the hook needs is not known")

// valueOf waits for the value of an output and stores it in into.
func valueOf[T any](ctx context.Context, output pulumi.Output, into *T) error {
	result, err := internals.UnsafeAwaitOutput(ctx, output)
	if err != nil {
		return err
	}
	value, ok := result.Value.(T)
	if !result.Known || !ok {
		return errNotKnown
	}
	*into = value
	return nil
}
