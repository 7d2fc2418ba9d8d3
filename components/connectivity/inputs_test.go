package connectivity_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

func TestTheNamespaceCanBeAResource(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		made, err := corev1.NewNamespace(ctx, "shop", &corev1.NamespaceArgs{
			Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("shop")},
		})
		if err != nil {
			return err
		}
		return newSuite(&connectivity.SuiteArgs{Topology: two, Namespace: made.Metadata.Name()})(ctx)
	}, mocktest.Outputs(addresses))
	namespace, err := graph.Get("kubernetes:core/v1:Namespace", "shop")
	if err != nil {
		t.Fatal(err)
	}
	objects := slices.Concat(graph.ByType(podType), graph.ByType(serviceType), graph.ByType(jobType))
	if len(objects) < 6 {
		t.Fatalf("there are %d objects", len(objects))
	}
	for _, r := range objects {
		if in := r.Plain()["metadata"].(map[string]any)["namespace"]; in != "shop" {
			t.Errorf("%s is in the namespace %v", r.URN, in)
		}
		if !slices.Contains(r.PropertyDependencies["metadata"], namespace.URN) {
			t.Errorf("%s depends on %v, want the namespace", r.URN, r.PropertyDependencies)
		}
	}
}

// TestInputsCanBeOutputs compares the results with those for plain values.
func TestInputsCanBeOutputs(t *testing.T) {
	t.Parallel()
	args := func(text func(string) pulumi.StringPtrInput) *connectivity.SuiteArgs {
		return &connectivity.SuiteArgs{
			Topology: two, Namespace: text("shop"), ClusterDomain: text("k8s.example.com"),
			NodeAddress: text("node.example.com"),
		}
	}
	plain := mocktest.MustRun(t, newSuite(args(func(s string) pulumi.StringPtrInput { return pulumi.String(s) })),
		mocktest.Outputs(addresses)).String()
	outputs := mocktest.MustRun(t, newSuite(args(func(s string) pulumi.StringPtrInput {
		return pulumi.String(s).ToStringPtrOutput()
	})), mocktest.Outputs(addresses)).String()
	if diff := cmp.Diff(plain, outputs); diff != "" {
		t.Errorf("outputs make another graph (-plain +outputs):\n%s", diff)
	}
	for _, part := range []string{".shop.svc.k8s.example.com", "http://node.example.com:", "namespace: shop"} {
		if !strings.Contains(outputs, part) {
			t.Errorf("%s is nowhere", part)
		}
	}
}

func TestInvalidInputsFromOutputs(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]func(text func(string) pulumi.StringPtrInput) *connectivity.SuiteArgs{
		"namespace": func(text func(string) pulumi.StringPtrInput) *connectivity.SuiteArgs {
			return &connectivity.SuiteArgs{Topology: two, Namespace: text("Shop")}
		},
		"clusterDomain": func(text func(string) pulumi.StringPtrInput) *connectivity.SuiteArgs {
			return &connectivity.SuiteArgs{Topology: two, ClusterDomain: text("cluster.local.")}
		},
		"nodeAddress": func(text func(string) pulumi.StringPtrInput) *connectivity.SuiteArgs {
			return &connectivity.SuiteArgs{Topology: two, NodeAddress: text("10.0.0.4:30001")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := mocktest.Run(newSuite(args(func(s string) pulumi.StringPtrInput { return pulumi.String(s) })))
			if err == nil || !strings.Contains(err.Error(), name+": Invalid value: ") {
				t.Fatalf("%v, want an error of %s", err, name)
			}
			_, later := mocktest.Run(newSuite(args(func(s string) pulumi.StringPtrInput {
				return pulumi.String(s).ToStringPtrOutput()
			})), mocktest.Outputs(addresses))
			if later == nil || !strings.Contains(later.Error(), err.Error()) {
				t.Errorf("of an output: %v\nwant %v", later, err)
			}
		})
	}
}
