package kubeadm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// state is what decides whether a resource changes: its inputs, those that are secret
// too, without what its changes are ignored of.
func state(r mocktest.Resource) map[string]any {
	in := r.Plain()
	if r.Type == stashType {
		return nil // the first of the keys stay; the names of the nodes change with these
	}
	in["secrets"] = texts(r.Inputs, true)
	if strings.Contains(string(r.URN), "$"+providerType) {
		in["dependencies"] = nil
	}
	return in
}

// differences are what is of one graph only, and what changes between two.
func differences(t *testing.T, before, after *mocktest.Graph) (gone, come, changed []string) {
	t.Helper()
	for _, r := range before.Resources() {
		other, ok := after.ByURN(r.URN)
		switch {
		case !ok:
			gone = append(gone, r.Name)
		case !cmp.Equal(state(r), state(other), cmp.Comparer(func(a, b []string) bool {
			a, b = slices.Clone(a), slices.Clone(b)
			slices.Sort(a)
			slices.Sort(b)
			return slices.Equal(a, b)
		})):
			changed = append(changed, r.Name)
		}
	}
	for _, r := range after.Resources() {
		if _, ok := before.ByURN(r.URN); !ok {
			come = append(come, r.Name)
		}
	}
	return gone, come, changed
}

// others are the names that are not of a pool.
func others(names []string, pool string) []string {
	var list []string
	for _, name := range names {
		if name != "shop-"+pool && !strings.HasPrefix(name, "shop-"+pool+"-") {
			list = append(list, name)
		}
	}
	return list
}

func TestAPoolThatComesGoesOrGrowsTouchesNoOther(t *testing.T) {
	t.Parallel()
	for _, k := range []network.Kind{network.UpstreamL3, network.HostGateway, network.FlannelVXLAN} {
		before := made(t, kind(k))
		for name, tt := range map[string]struct {
			change     func(*kubeadm.ClusterArgs)
			pool       string
			gone, come int
		}{
			// A component, its group, and of each machine the interface, the machine, its
			// extension, job and node.
			"comes": {func(a *kubeadm.ClusterArgs) {
				a.Pools = append(a.Pools, topology.Pool{Name: "more", Platform: platform.Linux, Size: size})
			}, "more", 0, 7},
			"comes in front of the others": {func(a *kubeadm.ClusterArgs) {
				a.Pools = append([]topology.Pool{{Name: "more", Platform: platform.WindowsServer2022, Size: size}},
					a.Pools...)
			}, "more", 0, 7},
			"goes":    {func(a *kubeadm.ClusterArgs) { a.Pools = a.Pools[1:] }, "linux", 7, 0},
			"grows":   {func(a *kubeadm.ClusterArgs) { a.Pools[1].Count = 4 }, "win22", 0, 10},
			"shrinks": {func(a *kubeadm.ClusterArgs) { a.Pools[1].Count = 1 }, "win22", 5, 0},
			"becomes empty": {
				func(a *kubeadm.ClusterArgs) { a.Pools[1].Count, a.Pools[1].Empty = 0, true }, "win22", 10,
				0,
			},
			"is of other machines": {
				func(a *kubeadm.ClusterArgs) { a.Pools[1].Size = "Standard_D8s_v5" }, "win22", 10,
				10,
			},
		} {
			t.Run(string(k)+" "+name, func(t *testing.T) {
				t.Parallel()
				args := kind(k)
				tt.change(args)
				gone, come, changed := differences(t, before, made(t, args))
				equal(t, "others that go", []string(nil), others(gone, tt.pool))
				equal(t, "others that come", []string(nil), others(come, tt.pool))
				equal(t, "others that change", []string(nil), others(changed, tt.pool))
				routes := 0
				if k.Planned() {
					routes = 1
				}
				// Where there are routes each machine has one.
				equal(t, "go and come", []int{tt.gone + routes*(tt.gone/5), tt.come + routes*(tt.come/5)},
					[]int{len(gone), len(come)})
				if k != network.HostGateway {
					equal(t, "change", 0, len(changed))
				}
			})
		}
	}
}

// Where each machine has routes to the others of its pool, more of them are in the files
// of those that are there, whose changes are ignored.
func TestMachinesOfAPoolThatGrowsStay(t *testing.T) {
	t.Parallel()
	args := kind(network.HostGateway)
	args.Pools[1].Count = 3
	before, after := made(t, kind(network.HostGateway)), made(t, args)
	_, _, changed := differences(t, before, after)
	for _, name := range changed {
		for _, r := range before.Resources() {
			if r.Name != name {
				continue
			}
			other, _ := after.ByURN(r.URN)
			in, then := r.Plain(), other.Plain()
			for _, path := range r.IgnoreChanges {
				delete(in, path)
				delete(then, path)
			}
			equal(t, r.String(), in, then)
		}
	}
}

// What a machine has from its creation makes another one, beside the old one: all of its
// resources are new, so that the old ones go at the end.
func TestChangesThatMakeOtherMachines(t *testing.T) {
	t.Parallel()
	before := made(t, small(nil))
	for name, change := range map[string]func(*kubeadm.ClusterArgs){
		"size":     func(a *kubeadm.ClusterArgs) { a.Pools[1].Size = "Standard_D8s_v5" },
		"platform": func(a *kubeadm.ClusterArgs) { a.Pools[1].Platform = platform.WindowsServer2025 },
		"taint": func(a *kubeadm.ClusterArgs) {
			a.Pools[1].Taints = []corev1.Taint{
				topology.WindowsTaint(),
				{Key: "team", Effect: corev1.TaintEffectNoSchedule},
			}
		},
		"label":   func(a *kubeadm.ClusterArgs) { a.Pools[1].Labels = map[string]string{"team": "shop"} },
		"version": func(a *kubeadm.ClusterArgs) { a.Pools[1].KubernetesVersion = "1.35" },
		"kubelet": func(a *kubeadm.ClusterArgs) {
			a.PoolOptions = map[string]kubeadm.PoolOptions{
				"win22": {Kubelet: bootstrap.KubeletOptions{PriorityClass: "HIGH_PRIORITY_CLASS"}},
			}
		},
		"image": func(a *kubeadm.ClusterArgs) {
			a.PoolOptions = map[string]kubeadm.PoolOptions{
				"win22": {Image: kubeadm.Image{ID: "/subscriptions/s/image"}},
			}
		},
		"version of the image": func(a *kubeadm.ClusterArgs) {
			a.PoolOptions = map[string]kubeadm.PoolOptions{
				"win22": {Image: kubeadm.Image{Version: "20348.1906.230803"}},
			}
		},
		"security": func(a *kubeadm.ClusterArgs) {
			a.PoolOptions = map[string]kubeadm.PoolOptions{
				"win22": {Security: kubeadm.Security{EncryptionAtHost: true}},
			}
		},
		"patch settings": func(a *kubeadm.ClusterArgs) {
			a.PoolOptions = map[string]kubeadm.PoolOptions{
				"win22": {Patching: kubeadm.Patching{Reboot: kubeadm.RebootNever, Mode: kubeadm.AutomaticByPlatform}},
			}
		},
		"disk": func(a *kubeadm.ClusterArgs) { a.Pools[1].OSDiskSizeGB = 512 },
		"spot": func(a *kubeadm.ClusterArgs) { a.Pools[1].Spot = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gone, come, changed := differences(t, before, made(t, small(change)))
			machine := func(suffix string) []string {
				return []string{"", "-bootstrap", "-interface", "-node", "-ready", suffix}[:5]
			}
			var want []string
			for _, suffix := range machine("") {
				want = append(want, "shop-win22-win22-7fh-0"+suffix, "shop-win22-win22-7fh-1"+suffix)
			}
			slices.Sort(want)
			slices.Sort(gone)
			equal(t, "go", want, gone)
			// With patch settings each machine has an extension more.
			more := 0
			if name == "patch settings" {
				more = 2
			}
			equal(t, "come", 10+more, len(come))
			equal(t, "change", []string(nil), changed)
		})
	}
}

// What machines do not have from their creation changes none of them. The settings of an
// extension may be others: changes of them are ignored.
func TestChangesThatKeepTheMachines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*kubeadm.ClusterArgs)
		want   []string
	}{
		"mode":          {func(a *kubeadm.ClusterArgs) { a.Pools[0].Mode = topology.System }, nil},
		"patch release": {func(a *kubeadm.ClusterArgs) { a.KubernetesVersion = "v1.36.4" }, nil},
		"ranges": {
			func(a *kubeadm.ClusterArgs) {
				a.APIServer.AuthorizedIPRanges = pulumi.ToStringArray([]string{"203.0.113.7"})
			},
			[]string{"shop-control-plane-security"},
		},
		"node ports": {
			func(a *kubeadm.ClusterArgs) { a.NodePortSources = pulumi.ToStringArray([]string{"203.0.113.7"}) },
			[]string{"shop-nodes-security"},
		},
		"more ports of Services": {func(a *kubeadm.ClusterArgs) {
			a.ServicePorts = append(a.ServicePorts, kubeadm.ServicePort{Port: 443, NodePort: 30443})
		}, []string{"shop-services", "shop-nodes-security"}},
		"the size of the control plane": {
			func(a *kubeadm.ClusterArgs) { a.ControlPlane.Size = "Standard_D8s_v5" },
			[]string{"shop-control-plane-0", "shop-control-plane-0-bootstrap"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := func(a *kubeadm.ClusterArgs) {
				a.ServicePorts = []kubeadm.ServicePort{{
					Port:     80,
					NodePort: 30080,
				}}
			}
			after := func(a *kubeadm.ClusterArgs) {
				before(a)
				tt.change(a)
			}
			gone, come, changed := differences(t, made(t, small(before)), made(t, small(after)))
			equal(t, "go", []string(nil), gone)
			equal(t, "come", []string(nil), come)
			equal(t, "change", tt.want, changed)
		})
	}
}

// A load balancer comes before the machines that are there.
func TestTheFirstPortOfAService(t *testing.T) {
	t.Parallel()
	gone, come, changed := differences(t, made(t, small(nil)), made(t, small(func(a *kubeadm.ClusterArgs) {
		a.ServicePorts = []kubeadm.ServicePort{{Port: 80, NodePort: 30080}}
	})))
	equal(t, "go", []string(nil), gone)
	equal(t, "come", []string{"shop-services", "shop-services-address"}, come)
	for _, name := range changed {
		if name != "shop-nodes-security" && !strings.HasSuffix(name, "-interface") {
			t.Errorf("%s changes", name)
		}
	}
	equal(t, "interfaces that change, and the security group", 4, len(changed))
}

// From one machine to three: the first one and all nodes stay.
func TestTheControlPlaneGrows(t *testing.T) {
	t.Parallel()
	gone, come, changed := differences(t, made(t, small(nil)),
		made(t, small(func(a *kubeadm.ClusterArgs) { a.ControlPlane.Count = 3 })))
	equal(t, "go", []string(nil), gone)
	slices.Sort(come)
	equal(t, "come", []string{
		"shop-control-plane-1", "shop-control-plane-1-bootstrap", "shop-control-plane-1-interface",
		"shop-control-plane-2", "shop-control-plane-2-bootstrap", "shop-control-plane-2-interface",
	}, come)
	// The members of etcd reach each other now; the files of machines that are there, of
	// which changes are ignored, are no others.
	equal(t, "change", []string{"shop-control-plane-security"}, changed)
}
