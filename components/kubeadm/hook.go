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
// https://github.com/pulumi/pulumi/releases/tag/v3.182.0), replaces resources with others, and
// answers which version it is. With an older one the SDK would leave out every resource that has a
// hook, without an error, and Pulumi would delete it.
const runsHooks = ">=3.217.0"

// requireHooks fails where hooks would not run. Under the SDK's mocks nothing does.
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

// hookNames begins the names of a component's hooks: its URN, as two components can have the same
// name. All its resources share a hook.
type hookNames struct{ urn string }

func newHookNames(ctx *pulumi.Context, component pulumi.Resource) (hookNames, error) {
	var urn pulumi.URN
	err := valueOf(ctx.Context(), component.URN(), &urn)
	return hookNames{string(urn)}, err
}

// register returns nil under the SDK's mocks, which run no hook. No hook runs in a preview.
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

// adminAPI is the API server of a cluster, as an administrator reaches it. What uses it in a hook
// has to depend on what the kubeconfig does: it is known when that is there.
type adminAPI struct{ kubeconfig func() pulumi.StringOutput }

// with gives a client to what is to be done.
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

// valueOf waits for the value of an output.
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
