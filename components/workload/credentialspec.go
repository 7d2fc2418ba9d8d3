package workload

import (
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

// CredentialSpec is a group managed service account that pods can run as: package gmsa creates them.
type CredentialSpec interface {
	// SpecName is the name of the GMSACredentialSpec.
	SpecName() string
	// Allow lets a service account use it: a RoleBinding in its namespace, which waits for
	// the GMSACredentialSpec and for the role. A nil namespace or service account is
	// "default".
	Allow(ctx *pulumi.Context, name string, namespace, serviceAccount pulumi.StringPtrInput,
		opts ...pulumi.ResourceOption) (pulumi.Resource, error)
}

// byDefault is the default of the namespace, and of the service account, of pods.
const byDefault = "default"

const bindingType = "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding"

func (c *component) bindingName() string { return c.name + "-gmsa" }

// allow lets the pods use their credential spec. The resource that creates the pods has to wait for the result: the
// webhook of gMSA refuses pods whose service account may not use the spec, or whose spec does not exist
// (https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/).
//
// Waiting for the binding includes waiting for the spec. It does not suffice to wait for a component: the SDK replaces
// it with its children when it registers them, in the background, so a resource that waits for the component may miss
// some (https://github.com/pulumi/pulumi/issues/7833).
func (c *component) allow(ctx *pulumi.Context, self pulumi.Resource) (pulumi.ResourceOption, error) {
	binding, err := c.credentialSpec.Allow(ctx, c.bindingName(), namespaceOf(c.metadata), orDefault(c.serviceAccount),
		c.options.For(bindingType, c.bindingName(), pulumi.Parent(self))...)
	if err != nil {
		return nil, err
	}
	return pulumi.DependsOn([]pulumi.Resource{binding}), nil
}

func namespaceOf(metadata metav1.ObjectMetaPtrInput) pulumi.StringPtrInput {
	if input.Missing(metadata) {
		return nil
	}
	if args, plain := input.Plain[metav1.ObjectMetaArgs](metadata); plain {
		return orDefault(args.Namespace)
	}
	return orDefault(metadata.ToObjectMetaPtrOutput().Namespace())
}

// orDefault leaves out an input that is plainly missing. If an output may turn out to be missing, orDefault returns an
// output with the default instead, because it can no longer be left out.
func orDefault(in pulumi.StringPtrInput) pulumi.StringPtrInput {
	if name, plain := input.Plain[string](in); input.Missing(in) || plain && name == "" {
		return nil
	} else if plain {
		return in
	}
	return in.ToStringPtrOutput().ApplyT(func(name *string) *string {
		if name == nil || *name == "" {
			return new(byDefault)
		}
		return name
	}).(pulumi.StringPtrOutput)
}
