package kubeadm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// state returns the part of a resource that decides whether it changes: its inputs with their
// secrets, except those whose changes are ignored.
func state(r mocktest.Resource) map[string]any {
	in := r.Plain()
	if r.Type == stashType {
		return nil // the first keys stay the same; the names of the nodes change with the nodes
	}
	in["secrets"] = texts(r.Inputs, true)
	if strings.Contains(string(r.URN), "$"+providerType) {
		in["dependencies"] = nil
	}
	return in
}

// differences returns the resources that only one of two graphs has, and those that differ.
func differences(t *testing.T, before, after *mocktest.Graph) (deleted, created, changed []string) {
	t.Helper()
	for _, r := range before.Resources() {
		other, ok := after.ByURN(r.URN)
		switch {
		case !ok:
			deleted = append(deleted, r.Name)
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
			created = append(created, r.Name)
		}
	}
	return deleted, created, changed
}

// others returns the names that do not belong to a pool.
func others(names []string, pool string) []string {
	var list []string
	for _, name := range names {
		if name != "shop-"+pool && !strings.HasPrefix(name, "shop-"+pool+"-") {
			list = append(list, name)
		}
	}
	return list
}

func TestAChangedPoolTouchesNoOther(t *testing.T) {
	t.Parallel()
	for _, k := range []network.Kind{network.UpstreamL3, network.HostGateway, network.FlannelVXLAN} {
		before := made(t, kind(k))
		for name, tt := range map[string]struct {
			change           func(*kubeadm.ClusterArgs)
			pool             string
			deleted, created int
		}{
			// A component, its group, and for each machine the interface, the machine, its
			// extension, job and node.
			"is added": {func(a *kubeadm.ClusterArgs) {
				a.Pools = append(a.Pools, topology.Pool{Name: "more", Platform: platform.Linux, Size: size})
			}, "more", 0, 7},
			"is added before the others": {func(a *kubeadm.ClusterArgs) {
				a.Pools = append([]topology.Pool{{Name: "more", Platform: platform.WindowsServer2022, Size: size}},
					a.Pools...)
			}, "more", 0, 7},
			"is removed": {func(a *kubeadm.ClusterArgs) { a.Pools = a.Pools[1:] }, "linux", 7, 0},
			"grows":      {func(a *kubeadm.ClusterArgs) { a.Pools[1].Count = 4 }, "win22", 0, 10},
			"shrinks":    {func(a *kubeadm.ClusterArgs) { a.Pools[1].Count = 1 }, "win22", 5, 0},
			"becomes empty": {
				func(a *kubeadm.ClusterArgs) { a.Pools[1].Count, a.Pools[1].Empty = 0, true }, "win22", 10,
				0,
			},
			"gets other machines": {
				func(a *kubeadm.ClusterArgs) { a.Pools[1].Size = "Standard_D8s_v5" }, "win22", 10,
				10,
			},
		} {
			t.Run(string(k)+" "+name, func(t *testing.T) {
				t.Parallel()
				args := kind(k)
				tt.change(args)
				deleted, created, changed := differences(t, before, made(t, args))
				equal(t, "others that are deleted", []string(nil), others(deleted, tt.pool))
				equal(t, "others that are created", []string(nil), others(created, tt.pool))
				equal(t, "others that change", []string(nil), others(changed, tt.pool))
				routes := 0
				if k.Planned() {
					routes = 1
				}
				// In a network with routes each machine has one.
				equal(t, "deleted and created",
					[]int{tt.deleted + routes*(tt.deleted/5), tt.created + routes*(tt.created/5)},
					[]int{len(deleted), len(created)})
				if k != network.HostGateway {
					equal(t, "change", 0, len(changed))
				}
			})
		}
	}
}

// If machines have routes to the others of their pool, the files of existing machines list the new
// ones. Changes of the files are ignored.
func TestScalingUpRetainsExistingMachines(t *testing.T) {
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

// A change of a setting that a machine gets at its start results in another machine next to the
// old one: all of its resources are new, so that the old ones are deleted last.
func TestChangesThatReplaceMachines(t *testing.T) {
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
			deleted, created, changed := differences(t, before, made(t, small(change)))
			machine := func(suffix string) []string {
				return []string{"", "-bootstrap", "-interface", "-node", "-ready", suffix}[:5]
			}
			var want []string
			for _, suffix := range machine("") {
				want = append(want, "shop-win22-win22-7fh-0"+suffix, "shop-win22-win22-7fh-1"+suffix)
			}
			slices.Sort(want)
			slices.Sort(deleted)
			equal(t, "deleted", want, deleted)
			// With patch settings each machine has one more extension.
			more := 0
			if name == "patch settings" {
				more = 2
			}
			equal(t, "created", 10+more, len(created))
			equal(t, "change", []string(nil), changed)
		})
	}
}

// A change of any other setting changes no machine. The settings of an extension may differ,
// because changes of them are ignored.
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
			deleted, created, changed := differences(t, made(t, small(before)), made(t, small(after)))
			equal(t, "deleted", []string(nil), deleted)
			equal(t, "created", []string(nil), created)
			equal(t, "change", tt.want, changed)
		})
	}
}

// A load balancer is added in front of the existing machines.
func TestTheFirstPortOfAService(t *testing.T) {
	t.Parallel()
	deleted, created, changed := differences(t, made(t, small(nil)), made(t, small(func(a *kubeadm.ClusterArgs) {
		a.ServicePorts = []kubeadm.ServicePort{{Port: 80, NodePort: 30080}}
	})))
	equal(t, "deleted", []string(nil), deleted)
	equal(t, "created", []string{"shop-services", "shop-services-address"}, created)
	for _, name := range changed {
		if name != "shop-nodes-security" && !strings.HasSuffix(name, "-interface") {
			t.Errorf("%s changes", name)
		}
	}
	equal(t, "interfaces that change, and the security group", 4, len(changed))
}

// The control plane grows from one machine to three: the first one and all nodes stay.
func TestTheControlPlaneGrows(t *testing.T) {
	t.Parallel()
	deleted, created, changed := differences(t, made(t, small(nil)),
		made(t, small(func(a *kubeadm.ClusterArgs) { a.ControlPlane.Count = 3 })))
	equal(t, "deleted", []string(nil), deleted)
	slices.Sort(created)
	equal(t, "created", []string{
		"shop-control-plane-1", "shop-control-plane-1-bootstrap", "shop-control-plane-1-interface",
		"shop-control-plane-2", "shop-control-plane-2-bootstrap", "shop-control-plane-2-interface",
	}, created)
	// The members of etcd now reach each other. The files of the existing machines, whose changes
	// are ignored, are the same.
	equal(t, "change", []string{"shop-control-plane-security"}, changed)
}
