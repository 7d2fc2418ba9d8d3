package kubeadm

import (
	"context"
	"errors"
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
// joined, or the update of its resource has failed.
//
// A machine knows its token, and another update creates the same one. So a machine gets it only
// while the state does not record the first node of the machine.
type tokens struct {
	api adminAPI
	// issue, revoke and revokeAfterError are nil under the SDK's mocks.
	issue, revoke    *pulumi.ResourceHook
	revokeAfterError *pulumi.ErrorHook
	// record is a [stateRecord].
	record pulumi.Output

	mu sync.Mutex
	// machines are the machines whose resources have the hooks, by the names of these resources.
	machines map[string]joining
	// issued are the names of the machines whose tokens this update has created and not removed.
	issued map[string]bool
}

// joining is a machine that joins with a token.
type joining struct {
	machine

	vmID, token pulumi.StringOutput
}

// newTokens registers the hooks of a cluster.
func newTokens(ctx *pulumi.Context, api adminAPI, hooks hookNames, record pulumi.Output) (*tokens, error) {
	t := &tokens{api: api, record: record, machines: map[string]joining{}, issued: map[string]bool{}}
	var err error
	if t.issue, err = hooks.register(ctx, "issue-token", t.issueFor, nil); err != nil {
		return nil, err
	}
	// A token that cannot be removed expires.
	t.revoke, err = hooks.register(ctx, "revoke-token", t.revokeFor, &pulumi.ResourceHookOptions{IgnoreErrors: true})
	if err != nil {
		return nil, err
	}
	t.revokeAfterError, err = hooks.registerError(ctx, "revoke-token-after-error", t.revokeForFailed)
	return t, err
}

// lets returns options that create the token of a machine whenever the machine gets it or the
// program waits for the machine, and that remove the token when the machine has joined.
func (t *tokens) lets(m machine, vm *compute.VirtualMachine, token pulumi.StringOutput) tokenOptions {
	t.mu.Lock()
	defer t.mu.Unlock()
	j := joining{m, vm.VmId, token}
	t.machines[m.extensionName()], t.machines[m.readyName()] = j, j
	if t.issue == nil {
		return tokenOptions{pulumi.Composite(), pulumi.Composite()}
	}
	issue, revoke := []*pulumi.ResourceHook{t.issue}, []*pulumi.ResourceHook{t.revoke}
	failed := []*pulumi.ErrorHook{t.revokeAfterError}
	return tokenOptions{
		begins: pulumi.ResourceHooks(&pulumi.ResourceHookBinding{
			BeforeCreate: issue, BeforeUpdate: issue, OnError: failed,
		}),
		ends: pulumi.ResourceHooks(&pulumi.ResourceHookBinding{
			BeforeCreate: issue, BeforeUpdate: issue, AfterCreate: revoke, AfterUpdate: revoke, OnError: failed,
		}),
	}
}

// tokenOptions are the options of two resources: begins gives the machine its token, ends exists
// once the machine has joined. They may be the same resource.
type tokenOptions struct{ begins, ends pulumi.ResourceOption }

func (t *tokens) issueFor(ctx context.Context, args *pulumi.ResourceHookArgs) error {
	return t.do(ctx, args.Name, "create", func(api *kubeapi.Client, j joining, m jointoken.Machine) error {
		// An extension that is created starts the bootstrap of a machine.
		starts := args.OldInputs == nil && args.Name == j.extensionName()
		uid, joined, err := t.hasJoined(ctx, j, starts)
		switch {
		case err != nil:
			return err
		case uid != "":
			return jointoken.Confirm(ctx, api, j.Name, uid)
		case joined:
			return nil
		}
		t.setIssued(j.Name, true)
		return jointoken.Issue(ctx, api, m, time.Now())
	})
}

// hasJoined reports whether the state says that a machine has joined, and the UID of its first node
// if it has that too.
func (t *tokens) hasJoined(ctx context.Context, j joining, starts bool) (uid string, joined bool, err error) {
	var vmID string
	record, err := recordOf(ctx, t.record)
	if err := errors.Join(err, valueOf(ctx, j.vmID, &vmID)); err != nil {
		return "", false, err
	}
	resources := jointoken.Resources{Extension: j.extensionName()}
	if !j.ControlPlane {
		resources.Node, resources.Job = j.nodeResource(), j.readyName()
	}
	uid, joined = record.Joined(vmID, resources, starts)
	return uid, joined, nil
}

func (t *tokens) revokeFor(ctx context.Context, args *pulumi.ResourceHookArgs) error {
	return t.revokeOf(ctx, args.Name)
}

// revokeForFailed removes the token of a machine whose resource could not be created or updated.
// Another update creates it again. The operation is not repeated.
func (t *tokens) revokeForFailed(ctx context.Context, args *pulumi.ErrorHookArgs) (bool, error) {
	return false, t.revokeOf(ctx, args.Name)
}

func (t *tokens) revokeOf(ctx context.Context, resource string) error {
	return t.do(ctx, resource, "remove", func(api *kubeapi.Client, j joining, m jointoken.Machine) error {
		err := jointoken.Revoke(ctx, api, m)
		if err == nil {
			t.setIssued(j.Name, false)
		}
		return err
	})
}

func (t *tokens) setIssued(machine string, is bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.issued[machine] = is
}

// waitsFor reports whether this update has created the token of a machine, and has not seen it join.
func (t *tokens) waitsFor(m machine) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.issued[m.Name]
}

func (t *tokens) do(
	ctx context.Context, resource, what string, do func(*kubeapi.Client, joining, jointoken.Machine) error,
) error {
	t.mu.Lock()
	j, known := t.machines[resource]
	t.mu.Unlock()
	if !known {
		return fmt.Errorf("%s a bootstrap token for %s: it is not a resource of a machine", what, resource)
	}
	m := jointoken.Machine{Name: j.Name}
	err := valueOf(ctx, j.token, &m.Token)
	if err == nil {
		err = t.api.with(ctx, func(api *kubeapi.Client) error { return do(api, j, m) })
	}
	if err != nil {
		return fmt.Errorf("%s the bootstrap token of machine %s: %w", what, j.Name, err)
	}
	return nil
}
