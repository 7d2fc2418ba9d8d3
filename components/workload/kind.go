package workload

import (
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
)

// arguments are the arguments of every kind. The public arguments of a kind have the same fields in the same order, so
// that the compiler converts them.
type arguments[Spec any] struct {
	Platform       platform.Platform
	Metadata       metav1.ObjectMetaPtrInput
	Spec           Spec
	Scheduling     Scheduling
	Topology       topology.Topology
	User           User
	CredentialSpec CredentialSpec
}

func (a arguments[Spec]) common() common {
	return common{
		platform: a.Platform, metadata: a.Metadata, scheduling: a.Scheduling, topology: a.Topology,
		user: a.User, credentialSpec: a.CredentialSpec,
	}
}

// kind is what distinguishes a kind of workload.
type kind[Spec, Child any] struct {
	// name is the name of the kind in Kubernetes, and group its API group and version.
	name, group string
	// plain resolves the templates in a spec to plain arguments, so that their pods can be completed.
	plain func(c *component, spec *Spec)
	// child registers the Kubernetes resource with the metadata and the spec of the
	// arguments.
	child func(ctx *pulumi.Context, name string, args arguments[Spec], opts ...pulumi.ResourceOption) (*Child, error)
}

// register registers a workload of the kind, and below it the Kubernetes resource, which it returns. It registers
// nothing if there is a mistake in the arguments.
func (k kind[Spec, Child]) register(
	ctx *pulumi.Context, self pulumi.ComponentResource, name string, in *arguments[Spec],
	opts []pulumi.ResourceOption,
) (*Child, error) {
	var args arguments[Spec]
	if in != nil {
		args = *in
	}
	c := newComponent(k.name, "kubernetes:"+k.group+":"+k.name, name, args.common(), opts)
	k.plain(c, &args.Spec)
	spec, err := complete(ctx, c, args.Spec)
	args.Spec, args.Metadata = spec, c.metadata
	held, err := refusal.Hold(ctx, self, err)
	if err != nil {
		return nil, err
	}
	c.options.Component = append(c.options.Component, held...)
	options, err := c.register(ctx, self)
	if err != nil {
		return nil, err
	}
	return k.child(ctx, c.childName(), args, options...)
}
