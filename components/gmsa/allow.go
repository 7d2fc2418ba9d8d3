package gmsa

import (
	"cmp"
	"slices"

	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	rbacv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/rbac/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
)

const (
	rbacGroup       = "rbac.authorization.k8s.io"
	clusterRoleType = "kubernetes:" + rbacGroup + "/v1:ClusterRole"
)

// newRole allows the use of one GMSACredentialSpec
// (https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/#configure-cluster-role-to-enable-rbac-on-specific-gmsa-credential-specs).
func newRole(ctx *pulumi.Context, resource, spec string, opts ...pulumi.ResourceOption) (*rbacv1.ClusterRole, error) {
	return rbacv1.NewClusterRole(ctx, resource, &rbacv1.ClusterRoleArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(roleName(spec))},
		Rules: rbacv1.PolicyRuleArray{rbacv1.PolicyRuleArgs{
			ApiGroups:     pulumi.ToStringArray([]string{group}),
			Resources:     pulumi.ToStringArray([]string{plural}),
			Verbs:         pulumi.ToStringArray([]string{"use"}),
			ResourceNames: pulumi.ToStringArray([]string{spec}),
		}},
	}, opts...)
}

// roleName returns the name of the role that may use a GMSACredentialSpec.
func roleName(spec string) string { return "gmsa-" + spec + "-use" }

// Reference is the name of a GMSACredentialSpec that [NewCredentialSpec] has created in another program.
// Workloads accept it instead of the specification itself.
type Reference string

// SpecName returns the name of the GMSACredentialSpec.
func (r Reference) SpecName() string { return string(r) }

// Allow is [CredentialSpec.Allow]. It waits for nothing: the role must exist before pods are admitted,
// and the RoleBinding may name it before.
func (r Reference) Allow(
	ctx *pulumi.Context, name string, namespace, serviceAccount pulumi.StringPtrInput, opts ...pulumi.ResourceOption,
) (pulumi.Resource, error) {
	return bind(ctx, name, pulumi.String(roleName(string(r))), namespace, serviceAccount, opts...)
}

// Allow lets the pods of a service account use the specification: it creates a RoleBinding
// in their namespace, with these resource options. Pulumi derives its name from the name of
// the resource. A nil namespace or service account is "default". Pods should depend on it,
// and need not depend on the specification, which it waits for: the webhook refuses the pods
// until both exist.
func (c *CredentialSpec) Allow(
	ctx *pulumi.Context, name string, namespace, serviceAccount pulumi.StringPtrInput, opts ...pulumi.ResourceOption,
) (pulumi.Resource, error) {
	return bind(ctx, name, c.Role.Metadata.Name().Elem(), namespace, serviceAccount,
		append(slices.Clone(opts), pulumi.DependsOn([]pulumi.Resource{c.Spec}))...)
}

func bind(
	ctx *pulumi.Context, name string, role pulumi.StringInput, namespace, serviceAccount pulumi.StringPtrInput,
	opts ...pulumi.ResourceOption,
) (pulumi.Resource, error) {
	in, account := orDefault(namespace), orDefault(serviceAccount)
	binding, err := rbacv1.NewRoleBinding(ctx, name, &rbacv1.RoleBindingArgs{
		Metadata: metav1.ObjectMetaArgs{Namespace: in},
		RoleRef: rbacv1.RoleRefArgs{
			ApiGroup: pulumi.String(rbacGroup),
			Kind:     pulumi.String("ClusterRole"),
			Name:     role,
		},
		Subjects: rbacv1.SubjectArray{rbacv1.SubjectArgs{
			Kind:      pulumi.String("ServiceAccount"),
			Name:      account,
			Namespace: in,
		}},
	}, opts...)
	if err != nil {
		// A nil pointer in the interface would not be nil.
		return nil, err
	}
	return binding, nil
}

func orDefault(name pulumi.StringPtrInput) pulumi.StringOutput {
	// A nil *pulumi.String is not nil in the interface, and has no output.
	if input.Missing(name) {
		return pulumi.String(defaultName).ToStringOutput()
	}
	return name.ToStringPtrOutput().ApplyT(func(configured *string) string {
		if configured == nil {
			return defaultName
		}
		return cmp.Or(*configured, defaultName)
	}).(pulumi.StringOutput)
}
