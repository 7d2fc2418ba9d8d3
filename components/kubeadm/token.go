package kubeadm

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/pulumi/pulumi-azure-native-sdk/compute/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/jointoken"
	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
)

// tokens lets the machines of a cluster join, each with a bootstrap token of its own. A token is
// not a resource, so that it is not in the state and a refresh does not report it as missing: hooks
// create it in the cluster just before the machine gets it, and remove it when the machine has
// joined.
type tokens struct {
	api adminAPI
	// issue and revoke are nil under the SDK's mocks.
	issue, revoke *pulumi.ResourceHook

	mu sync.Mutex
	// machines are the machines whose resources have the hooks, by the names of these resources.
	machines map[string]joining
}

// joining is a machine that joins with a token.
type joining struct {
	name        string
	vmID, token pulumi.StringOutput
}

// newTokens registers the hooks of a cluster.
func newTokens(ctx *pulumi.Context, api adminAPI, hooks hookNames) (*tokens, error) {
	t := &tokens{api: api, machines: map[string]joining{}}
	var err error
	if t.issue, err = hooks.register(ctx, "issue-token", t.issueFor, nil); err != nil {
		return nil, err
	}
	// A token that cannot be removed expires.
	t.revoke, err = hooks.register(ctx, "revoke-token", t.revokeFor, &pulumi.ResourceHookOptions{IgnoreErrors: true})
	return t, err
}

// lets returns options that create the token of a machine whenever the machine gets it or the
// program waits for the machine, and that remove the token when the machine has joined.
func (t *tokens) lets(m machine, vm *compute.VirtualMachine, token pulumi.StringOutput) tokenOptions {
	t.mu.Lock()
	defer t.mu.Unlock()
	j := joining{m.Name, vm.VmId, token}
	t.machines[m.extensionName()], t.machines[m.readyName()] = j, j
	if t.issue == nil {
		return tokenOptions{pulumi.Composite(), pulumi.Composite()}
	}
	issue, revoke := []*pulumi.ResourceHook{t.issue}, []*pulumi.ResourceHook{t.revoke}
	return tokenOptions{
		begins: pulumi.ResourceHooks(&pulumi.ResourceHookBinding{BeforeCreate: issue, BeforeUpdate: issue}),
		ends: pulumi.ResourceHooks(&pulumi.ResourceHookBinding{
			BeforeCreate: issue, BeforeUpdate: issue, AfterCreate: revoke, AfterUpdate: revoke,
		}),
	}
}

// tokenOptions are the options of two resources: begins gives the machine its token, ends exists
// once the machine has joined. They may be the same resource.
type tokenOptions struct{ begins, ends pulumi.ResourceOption }

func (t *tokens) issueFor(ctx context.Context, args *pulumi.ResourceHookArgs) error {
	return t.do(ctx, args, "make", func(api *kubeapi.Client, m jointoken.Machine) error {
		return jointoken.Issue(ctx, api, m, time.Now())
	})
}

func (t *tokens) revokeFor(ctx context.Context, args *pulumi.ResourceHookArgs) error {
	return t.do(ctx, args, "remove", func(api *kubeapi.Client, m jointoken.Machine) error {
		return jointoken.Revoke(ctx, api, m)
	})
}

func (t *tokens) do(
	ctx context.Context, args *pulumi.ResourceHookArgs, what string,
	do func(*kubeapi.Client, jointoken.Machine) error,
) error {
	t.mu.Lock()
	j, known := t.machines[args.Name]
	t.mu.Unlock()
	if !known {
		return fmt.Errorf("%s a bootstrap token for %s: it is not a resource of a machine", what, args.Name)
	}
	m := jointoken.Machine{Name: j.name}
	err := valueOf(ctx, j.vmID, &m.VMID)
	if err == nil {
		err = valueOf(ctx, j.token, &m.Token)
	}
	if err == nil {
		err = t.api.with(ctx, func(api *kubeapi.Client) error { return do(api, m) })
	}
	if err != nil {
		return fmt.Errorf("%s the bootstrap token of machine %s: %w", what, j.name, err)
	}
	return nil
}
