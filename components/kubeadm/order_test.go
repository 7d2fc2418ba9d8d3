package kubeadm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// waitsFor fails if a resource does not depend directly on another one.
func waitsFor(t *testing.T, r, other mocktest.Resource) {
	t.Helper()
	if !slices.Contains(r.Dependencies, other.URN) {
		t.Errorf("%s does not wait for %s", r, other)
	}
}

// The API server answers before a machine gets its token, the Job waits for the node after that,
// and the node becomes a resource when it is Ready.
func TestTheOrderOfAMachine(t *testing.T) {
	t.Parallel()
	for _, k := range inAzure {
		for mode, option := range modes {
			t.Run(string(k)+" in "+mode, func(t *testing.T) {
				t.Parallel()
				graph := mocktest.MustRun(t, newCluster(kind(k)), append(option, azure())...)
				network := graph.MustGet(t, providerType, "shop-network")
				last := graph.MustGet(t, providerType, "shop-kubernetes")
				machines := 0
				for _, vm := range graph.ByType(machineType) {
					if strings.HasPrefix(vm.Name, "shop-control-plane-") {
						continue
					}
					machines++
					extension := graph.MustGet(t, extensionType, vm.Name+"-bootstrap")
					ready := graph.MustGet(t, jobType, vm.Name+"-ready")
					node := graph.MustGet(t, nodeType, vm.Name+"-node")
					waitsFor(t, extension, vm)
					waitsFor(t, extension, network)
					waitsFor(t, ready, extension)
					waitsFor(t, node, ready)
					waitsFor(t, last, node)
					for _, r := range []mocktest.Resource{ready, node} {
						equal(t, "provider of "+r.String(), network.URN, r.Provider)
						equal(t, "what "+r.String()+" is replaced with", []resource.URN{vm.URN}, r.ReplaceWith)
					}
					equal(t, "how long to wait", "60m", ready.CustomTimeouts.Create)
				}
				equal(t, "machines", 3, machines)
			})
		}
	}
}

// etcd accepts one new member at a time, and the first member creates the cluster.
func TestControlPlaneMachinesJoinOneByOne(t *testing.T) {
	t.Parallel()
	graph := made(t, kind(network.FlannelVXLAN))
	part := func(typ string, i int, suffix string) mocktest.Resource {
		return graph.MustGet(t, typ, fmt.Sprintf("shop-control-plane-%d%s", i, suffix))
	}
	provider := graph.MustGet(t, providerType, "shop-network")
	waitsFor(t, provider, part(extensionType, 0, "-bootstrap"))
	for i := range 3 {
		waitsFor(t, part(extensionType, i, "-bootstrap"), part(machineType, i, ""))
		// The machine is a backend of the load balancers before it needs them.
		for _, balancer := range graph.ByType(balancerType) {
			waitsFor(t, part(interfaceType, i, "-interface"), balancer)
		}
		if i == 0 {
			continue
		}
		waitsFor(t, part(extensionType, i, "-bootstrap"), part(extensionType, i-1, "-bootstrap"))
	}
	waitsFor(t, graph.MustGet(t, providerType, "shop-kubernetes"), part(extensionType, 2, "-bootstrap"))
}

// The machines of the pools are created at the same time as the control plane.
func TestMachinesDoNotWaitForTheControlPlane(t *testing.T) {
	t.Parallel()
	graph := made(t, kind(network.FlannelVXLAN))
	first := graph.MustGet(t, extensionType, "shop-control-plane-0-bootstrap")
	for _, vm := range graph.ByType(machineType) {
		for _, urn := range reach(graph, vm.URN) {
			if urn == first.URN {
				t.Errorf("%s waits for the control plane", vm)
			}
		}
	}
}

// reach returns all resources that a resource depends on, directly or indirectly.
func reach(graph *mocktest.Graph, urn resource.URN) []resource.URN {
	seen := []resource.URN{}
	next := []resource.URN{urn}
	for len(next) > 0 {
		r, ok := graph.ByURN(next[0])
		next = next[1:]
		if !ok || slices.Contains(seen, r.URN) {
			continue
		}
		seen = append(seen, r.URN)
		next = append(next, r.Dependencies...)
		if r.Provider != "" {
			next = append(next, r.Provider)
		}
	}
	return seen
}

// A Job's pod runs on its machine, whatever taints the pool has.
func TestAJobRunsOnItsMachine(t *testing.T) {
	t.Parallel()
	graph := made(t, full())
	for _, vm := range graph.ByType(machineType) {
		if strings.HasPrefix(vm.Name, "shop-control-plane-") {
			continue
		}
		name := at(t, vm.Plain(), "osProfile", "computerName").(string)
		job := graph.MustGet(t, jobType, vm.Name+"-ready").Plain()
		system := "linux"
		if strings.HasPrefix(name, "win") {
			system = "windows"
		}
		pod := at(t, job, "spec", "template", "spec").(map[string]any)
		equal(t, "selector", map[string]any{"kubernetes.io/hostname": name, "kubernetes.io/os": system},
			pod["nodeSelector"].(map[string]any))
		equal(t, "node", any(name), at(t, graph.MustGet(t, nodeType, vm.Name+"-node").Plain(), "metadata", "name"))
		var tolerates []string
		list, _ := pod["tolerations"].([]any)
		for _, toleration := range list {
			v := toleration.(map[string]any)
			tolerates = append(tolerates, fmt.Sprint(v["key"], v["operator"], v["value"], v["effect"]))
		}
		want := []string(nil)
		switch {
		case system == "windows":
			want = []string{"osEqualwindowsNoSchedule"}
		case strings.HasPrefix(name, "spot"):
			want = []string{"spotEqualNoExecute"}
		}
		equal(t, "tolerations of "+name, want, tolerates)
	}
}
