package provider

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/aks/akstest"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// A program in another language reads the fields of the identity, which the state of the component has too.
func TestTheIdentityOfTheNodesIsAnObject(t *testing.T) {
	t.Parallel()
	const token = "mixedkube:aks:Cluster"
	graph, err := run(func(ctx *pulumi.Context) error {
		var made struct {
			pulumi.ResourceState

			KubeletIdentity pulumi.MapOutput `pulumi:"kubeletIdentity"`
		}
		in := asInput(good(t)[token]).(pulumi.Map)
		err := ctx.RegisterRemoteComponentResource(token, it, in, &made)
		ctx.Export("kubelet", made.KubeletIdentity)
		return err
	}, akstest.Azure(), served(t))
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := graph.Get(token, it)
	if err != nil {
		t.Fatal(err)
	}
	want := mocktest.Plain(cluster.Outputs)["kubeletIdentity"]
	got := mocktest.Plain(graph.Exports())["kubelet"]
	if diff := cmp.Diff(want, got); diff != "" || len(got.(map[string]any)) != 3 {
		t.Errorf("the identity (-state +output):\n%s\n%v", diff, got)
	}
}
