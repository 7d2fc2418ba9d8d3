package kubeadm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const clusterURN = "urn:pulumi:stack::project::mixedkube:kubeadm:Cluster::shop"

// A token exists before its machine gets it, until the machine has joined: a Windows machine
// continues after its extension has ended.
func TestLifetimeOfTokens(t *testing.T) {
	t.Parallel()
	issue, revoke := []string{clusterURN + "/issue-token"}, []string{clusterURN + "/revoke-token"}
	begins := mocktest.Hooks{BeforeCreate: issue, BeforeUpdate: issue}
	ends := mocktest.Hooks{BeforeCreate: issue, BeforeUpdate: issue, AfterCreate: revoke, AfterUpdate: revoke}
	afterError := []string{clusterURN + "/revoke-token-after-error"}
	for mode, option := range modes {
		graph := mocktest.MustRun(t, newCluster(kind(network.FlannelVXLAN)), append(option, azure())...)
		for _, r := range graph.Resources() {
			var want mocktest.Hooks
			wantError := afterError
			switch {
			case r.Type == stashType:
				continue
			case r.Type == jobType, r.Name == "shop-control-plane-1-bootstrap",
				r.Name == "shop-control-plane-2-bootstrap":
				want = ends
			case r.Type == extensionType && r.Name != "shop-control-plane-0-bootstrap":
				want = begins
			default:
				wantError = nil
			}
			equal(t, mode+": hooks of "+r.String(), want, r.Hooks)
			equal(t, mode+": hooks of an error of "+r.String(), wantError, r.ErrorHooks)
		}
		if secrets := graph.ByType(secretType); secrets != nil {
			t.Errorf("%s: there is %s", mode, secrets[0])
		}
	}
}

// A step of a replacement is remembered when all machines have taken it. The hook of a needed step
// keeps the resource from being created in case no preview has refused that.
func TestStepsAreRecordedAfterAllMachines(t *testing.T) {
	t.Parallel()
	graph := made(t, rotate(kubeadm.Key{Generation: 1, Trusted: []int{0, 2}}))
	needed := graph.MustGet(t, stashType, "shop-keys-cluster-1-trusted")
	equal(t, "hooks", mocktest.Hooks{BeforeCreate: []string{clusterURN + "/keys-cluster-1-trusted"}}, needed.Hooks)
	equal(t, "dependencies", 0, len(needed.Dependencies))
	for _, name := range []string{"shop-keys-cluster-1-signs", "shop-keys-cluster-2-trusted"} {
		step := graph.MustGet(t, stashType, name)
		equal(t, "hooks of "+name, mocktest.Hooks{}, step.Hooks)
		for _, node := range graph.ByType(nodeType) {
			waitsFor(t, step, node)
		}
		waitsFor(t, step, graph.MustGet(t, runCommandType, "shop-control-plane-0-keys"))
	}
	equal(t, "steps of first keys", []string{"shop-keys-0", "shop-node-names"}, names(made(t, small(nil)), stashType))
}

// The names of the nodes are updated when all nodes exist, and before others are deleted: that is
// when those are drained. No hook belongs to a deletion, because `pulumi destroy` could not run it.
func TestNodesAreDrainedBeforeDeletion(t *testing.T) {
	t.Parallel()
	graph := made(t, small(nil))
	stash := graph.MustGet(t, stashType, "shop-node-names")
	equal(t, "names", map[string]any{"input": []any{"linux-30g-0", "win22-7fh-0", "win22-7fh-1"}}, stash.Plain())
	drain := []string{clusterURN + "/drain"}
	equal(t, "hooks", mocktest.Hooks{BeforeCreate: drain, BeforeUpdate: drain}, stash.Hooks)
	for _, node := range graph.ByType(nodeType) {
		waitsFor(t, stash, node)
		pool := strings.Split(node.Name, "-")[1]
		equal(t, node.String(), any(map[string]any{"mixedkube.dev/pool": pool}),
			at(t, node.Plain(), "metadata", "annotations"))
	}
	// The workloads of the program do not wait: it may take an update of its workload to let a pod
	// leave.
	for _, urn := range reach(graph, graph.MustGet(t, providerType, "shop-kubernetes").URN) {
		if urn == stash.URN {
			t.Error("the provider waits until the nodes are drained")
		}
	}
}

// Nothing drains the nodes of a pool that joins an existing cluster, which has other nodes. So they
// must not look like nodes of a cluster that drains its own.
func TestNodesOfAStandalonePool(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newPool(goodPool(nil)), azure())
	for _, node := range graph.ByType(nodeType) {
		equal(t, node.String(), any(nil), at(t, node.Plain(), "metadata", "annotations"))
	}
}

// Two clusters of one program have hooks of their own.
func TestHooksOfTwoClusters(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		for _, name := range []string{"one", "two"} {
			if _, err := kubeadm.NewCluster(ctx, name, small(nil)); err != nil {
				return err
			}
		}
		return nil
	}, azure())
	for _, extension := range graph.ByType(extensionType) {
		name, _, _ := strings.Cut(extension.Name, "-")
		for _, hook := range extension.Hooks.BeforeCreate {
			equal(t, extension.String(),
				"urn:pulumi:stack::project::mixedkube:kubeadm:Cluster::"+name+"/issue-token", hook)
		}
	}
}

// A pool that joins an existing cluster uses the user's token.
func TestStandalonePoolsHaveNoHooks(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newPool(goodPool(nil)), azure())
	for _, r := range graph.Resources() {
		equal(t, r.String(), mocktest.Hooks{}, r.Hooks)
	}
}

// An older Pulumi would run no hooks: the SDK leaves out resources with hooks, and Pulumi deletes
// them.
func TestAnOlderPulumi(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"3.181.0", "3.216.0"} {
		graph, err := mocktest.Run(newCluster(small(nil)), mocktest.PulumiVersion(version), azure())
		if err == nil {
			t.Fatal("an older Pulumi is accepted")
		}
		equal(t, "error", "kubeadm: a cluster needs Pulumi >=3.217.0, which runs the hooks that let machines join: "+
			"upgrade Pulumi (Pulumi CLI version "+version+` does not satisfy the version range ">=3.217.0")`,
			err.Error())
		equal(t, "resources", 0, len(graph.Resources()))
	}
	mocktest.MustRun(t, newCluster(small(nil)), mocktest.PulumiVersion("3.217.0"), azure())
}

// A machine that is created again under its name, by --replace, has another token.
func TestRecreatedMachinesGetNewTokens(t *testing.T) {
	t.Parallel()
	before := made(t, small(nil))
	outputs := kubeadmtest.Outputs()
	azureAgain := mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
		out := outputs(r)
		if r.Name == "shop-linux-linux-30g-0" {
			out["vmId"] = resource.NewProperty("d0df4c54-4ecb-4a4b-9954-5bdf3ed5c3b8")
		}
		return out
	})
	again := mocktest.MustRun(t, newCluster(small(nil)), azureAgain)
	for _, extension := range before.ByType(extensionType) {
		vm := before.MustGet(t, machineType, strings.TrimSuffix(extension.Name, "-bootstrap"))
		same := cmp.Equal(brought(t, vm, extension), brought(t, vm, again.MustGet(t, extensionType, extension.Name)))
		equal(t, "the same token for "+vm.Name, vm.Name != "shop-linux-linux-30g-0", same)
	}
}

// The SDK's mocks have no hooks. The program still creates the whole cluster, with the same keys
// and addresses as under mocktest.
func TestUnderTheMocksOfTheSDK(t *testing.T) {
	t.Parallel()
	var got []any
	program := func(ctx *pulumi.Context) error {
		c, err := kubeadm.NewCluster(ctx, "shop", small(nil))
		if err != nil {
			return err
		}
		known := pulumi.All(c.ResourceGroupName, c.Pools["linux"].Addresses, c.Kubeconfig)
		ctx.Export("known", known.ApplyT(func(known []any) any {
			got = known
			return nil
		}))
		return nil
	}
	err := pulumi.RunErr(program, pulumi.WithMocks("project", "stack", mocktest.Mocks(azure())))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	pool := made(t, small(nil)).MustGet(t, "mixedkube:kubeadm:NodePool", "shop-linux")
	for name, address := range mocktest.Plain(pool.Outputs)["addresses"].(map[string]any) {
		want[name] = address.(string)
	}
	equal(t, "the group and the addresses", []any{"shop-rg1a2b3c4d", want}, got[:2])
	server := "server: https://" + kubeadmtest.PublicAddress + ":6443\n"
	if !strings.Contains(got[2].(string), server) {
		t.Errorf("the kubeconfig has no %q:\n%s", server, got[2])
	}
}
