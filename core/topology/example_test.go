package topology_test

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func Example() {
	shop := topology.Topology{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: "Standard_D4s_v5"},
		},
	}.WithDefaults()
	for _, err := range shop.Validate(field.NewPath("topology")) {
		fmt.Println(err)
	}
	for _, p := range shop.Platforms() {
		for _, pool := range shop.PoolsOf(p) {
			fmt.Println(pool.Name, "has", pool.Count, "nodes of", p)
		}
		for _, toleration := range shop.Tolerations(p) {
			fmt.Println("pods tolerate", toleration.Key, toleration.Operator, toleration.Value, toleration.Effect)
		}
	}
	// Output:
	// sys has 3 nodes of linux
	// win22 has 2 nodes of windows-2022
	// pods tolerate os Equal windows NoSchedule
}

// All errors are reported at once.
func ExampleTopology_Validate() {
	wrong := topology.Topology{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "win16", Platform: platform.WindowsServer2016, Mode: topology.System},
			{Name: "win22", Platform: platform.WindowsServer2022, KubernetesVersion: "1.37"},
		},
	}
	for _, err := range wrong.Validate(field.NewPath("topology")) {
		fmt.Println(err)
	}
	// Output:
	// topology.pools: Required value: at least one Linux pool: cluster add-ons such as CoreDNS run on Linux only
	// topology.pools[0].platform: Invalid value: "windows-2016": Windows Server 2016 is no longer supported as a node: a pool runs linux, windows-2019, windows-2022 or windows-2025
	// topology.pools[0].mode: Invalid value: "System": a Windows pool cannot host the cluster's system pods: use User, and a Linux pool for System
	// topology.pools[1].kubernetesVersion: Invalid value: "1.37": newer than the control plane (1.36), which a kubelet must not be: upgrade the control plane first, or use 1.36
}

func ExampleParseTaint() {
	taint, err := topology.ParseTaint("os=windows:NoSchedule")
	fmt.Println(taint.Key, taint.Value, taint.Effect, err)
	_, err = topology.ParseTaint("os=windows:noschedule")
	fmt.Println(err)
	// Output:
	// os windows NoSchedule <nil>
	// taint "os=windows:noschedule": effect "noschedule": did you mean "NoSchedule"? valid effects are NoSchedule, PreferNoSchedule, NoExecute
}

// Only Windows needs classes: pods without one are Linux pods.
func ExampleRuntimeClassName() {
	fmt.Printf("%q "+
		"%q\n", topology.RuntimeClassName(platform.WindowsServer2022), topology.RuntimeClassName(platform.Linux))
	// Output: "windows-2022" ""
}

// Pass the nodes that the API server lists; mixedkube topology does the same on the command line.
func ExampleFromNodes() {
	var nodes corev1.NodeList
	err := json.Unmarshal([]byte(`{"items": [
		{"metadata": {"name": "a", "labels": {"kubernetes.io/os": "linux", "eks.amazonaws.com/nodegroup": "sys"}},
			"status": {"nodeInfo": {"kubeletVersion": "v1.36.2-eks-1a2b3c4"}}},
		{"metadata": {"name": "b", "labels": {"kubernetes.io/os": "windows", "eks.amazonaws.com/nodegroup": "win",
			"node.kubernetes.io/windows-build": "10.0.20348"}},
			"status": {"capacity": {"vpc.amazonaws.com/PrivateIPv4Address": "14"},
				"nodeInfo": {"kubeletVersion": "v1.36.2-eks-1a2b3c4"}}}]}`), &nodes)
	if err != nil {
		fmt.Println(err)
		return
	}
	shop, notes, errs := topology.FromNodes(nodes.Items, "v1.36.3")
	fmt.Println(shop.Cloud, shop.KubernetesVersion, len(notes), "note to read,", len(errs), "errors")
	for _, p := range shop.Pools {
		fmt.Println(p.Name, "has", p.Count, "nodes of", p.Platform, "without a taint:", p.Untainted)
	}
	// Output:
	// eks 1.36.3 1 note to read, 0 errors
	// sys has 1 nodes of linux without a taint: false
	// win has 1 nodes of windows-2022 without a taint: true
}

// The pools of a cluster that Cluster API has created: the names are those of its MachineDeployments.
func ExamplePool() {
	pools := []topology.Pool{
		{Name: "control-plane", Platform: platform.Linux, Mode: topology.System, Taints: []corev1.Taint{
			{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule},
		}},
		{Name: "shop-md-0", Platform: platform.Linux, Count: 2},
		{
			Name: "shop-win22", Platform: platform.WindowsServer2022, Count: 2,
			Labels: map[string]string{"example.com/disk": "fast"},
		},
	}
	for _, pool := range (topology.Topology{Pools: pools}).WithDefaults().Pools {
		for _, taint := range pool.Taints {
			fmt.Println(pool.Name, "has the taint", topology.FormatTaint(taint))
		}
	}
	// Output:
	// control-plane has the taint node-role.kubernetes.io/control-plane:NoSchedule
	// shop-win22 has the taint os=windows:NoSchedule
}
