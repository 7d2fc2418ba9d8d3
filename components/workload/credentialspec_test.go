package workload_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	rbacv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/rbac/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

const (
	specType    = "test:gmsa:CredentialSpec"
	bindingType = "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding"
)

// credentialSpec replaces one of package gmsa: a component with a child.
type credentialSpec struct {
	pulumi.ResourceState

	name string
	role *rbacv1.ClusterRole // nil if it is not registered
	// refuses is what Allow returns.
	refuses error
}

// named returns a spec that is not registered, which suffices for errors.
func named(name string) *credentialSpec { return &credentialSpec{name: name} }

func newShopSpec(ctx *pulumi.Context) (*credentialSpec, error) {
	s := named("shop")
	if err := ctx.RegisterComponentResource(specType, s.name, s); err != nil {
		return nil, err
	}
	var err error
	s.role, err = rbacv1.NewClusterRole(ctx, "shop-role", &rbacv1.ClusterRoleArgs{}, pulumi.Parent(s))
	return s, err
}

func (s *credentialSpec) SpecName() string { return s.name }

func (s *credentialSpec) Allow(
	ctx *pulumi.Context, name string, namespace, serviceAccount pulumi.StringPtrInput, opts ...pulumi.ResourceOption,
) (pulumi.Resource, error) {
	if s.refuses != nil {
		return nil, s.refuses
	}
	if s.role != nil {
		opts = append(opts, pulumi.DependsOn([]pulumi.Resource{s.role}))
	}
	named := func(in pulumi.StringPtrInput) pulumi.StringInput {
		if in == nil {
			return pulumi.String("default")
		}
		return in.ToStringPtrOutput().Elem()
	}
	return rbacv1.NewRoleBinding(ctx, name, &rbacv1.RoleBindingArgs{
		Metadata: metav1.ObjectMetaArgs{Namespace: named(namespace)},
		RoleRef: rbacv1.RoleRefArgs{
			ApiGroup: pulumi.String("rbac.authorization.k8s.io"),
			Kind:     pulumi.String("ClusterRole"), Name: pulumi.String(s.name),
		},
		Subjects: rbacv1.SubjectArray{rbacv1.SubjectArgs{
			Kind: pulumi.String("ServiceAccount"), Namespace: named(namespace), Name: named(serviceAccount),
		}},
	}, opts...)
}

// withSpec returns a program with the spec and a workload that names it.
func (k kind) withSpec(args *arguments) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		spec, err := newShopSpec(ctx)
		if err != nil {
			return err
		}
		own := *args
		own.credentialSpec = spec
		_, err = k.make(ctx, &own)
		return err
	}
}

func TestAWorkloadWaitsForItsCredentialSpecAndTheRightToUseIt(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
				made := k.get(t, mocktest.MustRun(t, k.withSpec(plainArguments(platform.WindowsServer2022)),
					options...))
				// The binding waits for the rest.
				want := []resource.URN{
					resource.URN("urn:pulumi:stack::project::" + k.component() + "$" + bindingType + "::web-gmsa"),
				}
				if diff := cmp.Diff(want, made.Dependencies); diff != "" {
					t.Errorf("dependencies (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestServiceAccountsAllowedToUseTheCredentialSpec(t *testing.T) {
	t.Parallel()
	nothing := pulumi.String("").ToStringOutput().ApplyT(func(string) *string { return nil }).(pulumi.StringPtrOutput)
	shop := metav1.ObjectMetaArgs{Namespace: pulumi.String("shop")}
	tests := []struct {
		name                      string
		metadata                  metav1.ObjectMetaPtrInput
		pods                      corev1.PodSpecArgs
		namespace, serviceAccount any
	}{
		{
			name:      "no account is named",
			namespace: "default", serviceAccount: "default",
		},
		{
			name: "plain names", metadata: shop, pods: corev1.PodSpecArgs{ServiceAccountName: pulumi.String("seller")},
			namespace: "shop", serviceAccount: "seller",
		},
		{
			name: "through pointers", metadata: &shop,
			pods:      corev1.PodSpecArgs{ServiceAccountName: pulumi.StringPtr("seller")},
			namespace: "shop", serviceAccount: "seller",
		},
		{
			name: "nil pointers and empty names", metadata: metav1.ObjectMetaPtr(nil),
			pods:      corev1.PodSpecArgs{ServiceAccountName: pulumi.String("")},
			namespace: "default", serviceAccount: "default",
		},
		{
			name: "the old field", metadata: shop, pods: corev1.PodSpecArgs{ServiceAccount: pulumi.String("seller")},
			namespace: "shop", serviceAccount: "seller",
		},
		{
			name: "metadata and an account that are outputs", metadata: shop.ToObjectMetaPtrOutput(),
			pods:      corev1.PodSpecArgs{ServiceAccountName: pulumi.String("seller").ToStringOutput()},
			namespace: "shop", serviceAccount: "seller",
		},
		{
			name:      "a namespace that is an output",
			metadata:  metav1.ObjectMetaArgs{Namespace: pulumi.String("shop").ToStringOutput()},
			namespace: "shop", serviceAccount: "default",
		},
		{
			name: "outputs that turn out to be nothing", metadata: metav1.ObjectMetaArgs{}.ToObjectMetaPtrOutput(),
			pods:      corev1.PodSpecArgs{ServiceAccountName: nothing},
			namespace: "default", serviceAccount: "default",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, k := range kinds() {
				tt.pods.Containers = containers
				graph := mocktest.MustRun(t,
					k.withSpec(&arguments{platform: platform.WindowsServer2022, metadata: tt.metadata, pods: tt.pods}))
				diffBinding(t, graph, tt.namespace, tt.serviceAccount)
			}
		})
	}
	t.Run("what is not known in a preview", func(t *testing.T) {
		t.Parallel()
		for _, k := range kinds() {
			graph := mocktest.MustRun(t, k.withSpec(&arguments{
				platform: platform.WindowsServer2022,
				metadata: mocktest.Unknown[metav1.ObjectMetaPtrOutput](),
				pods: corev1.PodSpecArgs{
					Containers:         containers,
					ServiceAccountName: mocktest.Unknown[pulumi.StringOutput](),
				},
			}), mocktest.Preview())
			diffBinding(t, graph, mocktest.UnknownValue, mocktest.UnknownValue)
		}
	})
}

func diffBinding(t *testing.T, graph *mocktest.Graph, namespace, serviceAccount any) {
	t.Helper()
	binding, err := graph.Get(bindingType, "web-gmsa")
	if err != nil {
		t.Fatal(err)
	}
	got := binding.Plain()
	want := []any{map[string]any{"kind": "ServiceAccount", "namespace": namespace, "name": serviceAccount}}
	if diff := cmp.Diff(want, got["subjects"]); diff != "" {
		t.Errorf("subjects (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"namespace": namespace}, got["metadata"]); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
}

func TestACredentialSpecThatFailsToAllowStopsTheWorkload(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			args := plainArguments(platform.WindowsServer2022)
			refuses := errors.New("it is locked")
			args.credentialSpec = &credentialSpec{name: "shop", refuses: refuses}
			graph, err := mocktest.Run(k.deploy(args))
			if !errors.Is(err, refuses) {
				t.Errorf("the error is %v, want %v", err, refuses)
			}
			if found := graph.ByType(k.typ); len(found) != 0 {
				t.Errorf("registered %v", found)
			}
		})
	}
}

func TestNilCredentialSpecIsIgnored(t *testing.T) {
	t.Parallel()
	args := plainArguments(platform.Linux)
	args.credentialSpec = (*credentialSpec)(nil)
	for _, k := range kinds() {
		graph := mocktest.MustRun(t, k.deploy(args))
		if found := graph.ByType(bindingType); len(found) != 0 {
			t.Errorf("%s: registered %v", k.name, found)
		}
	}
}

var _ workload.CredentialSpec = (*credentialSpec)(nil)
