package kubeadm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// readable returns a graph without the inside of the components of package hostprocess, which have
// tests of their own.
func readable(graph *mocktest.Graph) string {
	var b strings.Builder
	inside := -1
	for line := range strings.Lines(graph.String()) {
		depth := len(line) - len(strings.TrimLeft(line, " "))
		if inside >= 0 && (depth > inside || line == "\n") {
			continue
		}
		inside = -1
		if strings.HasPrefix(strings.TrimSpace(line), "mixedkube:hostprocess:") {
			inside = depth
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestTheWholeGraph(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*kubeadm.ClusterArgs{"small": small(nil), "full": full()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.UpdateAndPreview(t, "testdata/"+name,
				readable(mocktest.MustRun(t, newCluster(args), azure())),
				readable(mocktest.MustRun(t, newCluster(args), azure(), mocktest.Preview())))
		})
	}
}

// kubeconfigOf has the parts of a kubeconfig that identify the cluster and its server.
type kubeconfigOf struct {
	Clusters []struct {
		Name    string
		Cluster struct {
			Server     string
			ServerName string `yaml:"tls-server-name"`
		}
	}
}

func TestOutputs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args                   *kubeadm.ClusterArgs
		server, group, cluster string
		ca                     bootstrap.KeyPair
	}{
		"public": {
			small(nil), "https://" + kubeadmtest.PublicAddress + ":6443", "shop-rg1a2b3c4d", "shop",
			certificates(keysOf(small(nil))).CA,
		},
		"private": {full(), "https://10.240.0.4:6443", "shop-group", "shop-prod", ownCA()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got kubeconfigOf
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				c, err := kubeadm.NewCluster(ctx, "shop", tt.args)
				if err != nil {
					return err
				}
				ctx.Export("group", c.ResourceGroupName)
				ctx.Export("endpoint", c.Endpoint)
				ctx.Export("hash", c.CACertHash)
				ctx.Export("certificate", c.CACertificate)
				ctx.Export("kubeconfig", c.Kubeconfig)
				ctx.Export("read", c.Kubeconfig.ApplyT(func(text string) (bool, error) {
					return true,
						yaml.Unmarshal([]byte(text), &got)
				}))
				ctx.Export("addresses", c.Pools["win22"].Addresses)
				return nil
			}, azure())
			exports := mocktest.Plain(graph.Exports())
			addresses := exports["addresses"].(map[string]any)
			delete(exports, "addresses")
			equal(t, "exports", map[string]any{
				"group": tt.group, "endpoint": "10.240.0.4:6443",
				"hash": pin(t, tt.ca), "certificate": tt.ca.Certificate,
				"kubeconfig": mocktest.SecretValue, "read": mocktest.SecretValue,
			}, exports)
			equal(t, "server", []string{tt.cluster, tt.server, "kubernetes"},
				[]string{got.Clusters[0].Name, got.Clusters[0].Cluster.Server, got.Clusters[0].Cluster.ServerName})
			if len(addresses) == 0 {
				t.Error("no addresses of a pool")
			}
			for machine, address := range addresses {
				if !strings.HasPrefix(machine, "win22-") || !strings.HasPrefix(fmt.Sprint(address), "10.240.0.") {
					t.Errorf("%s has the address %v", machine, address)
				}
			}
			for _, provider := range []string{"shop-network", "shop-kubernetes"} {
				equal(t, provider, []string{"kubeconfig"}, graph.MustGet(t, providerType, provider).Secrets())
			}
			equal(t, "calls", 0, len(graph.Calls()))
		})
	}
}

func pin(t *testing.T, ca bootstrap.KeyPair) string {
	t.Helper()
	hash, err := ca.CACertHash()
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

// The workloads of a program are placed by the pools that the nodes register with.
func TestTheFieldsOfACluster(t *testing.T) {
	t.Parallel()
	var c *kubeadm.Cluster
	mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		var err error
		c, err = kubeadm.NewCluster(ctx, "shop", full())
		return err
	}, azure())
	if errs := c.Topology.Validate(nil); len(errs) > 0 {
		t.Error(errs)
	}
	var pools []string
	for _, p := range c.Topology.Pools {
		pools = append(pools, p.Name)
	}
	equal(t, "pools of the topology", []string{"linux", "spot", "win19", "win22", "win25", "later", "control-plane"},
		pools)
	equal(t, "machines of the control plane", 3, len(c.ControlPlane))
	for i, p := range full().Pools {
		equal(t, "machines of "+p.Name, []int{2, 1, 1, 1, 1, 0}[i], len(c.Pools[p.Name].Machines))
		equal(t, "the pool", c.Topology.Pools[i], c.Pools[p.Name].Pool)
	}
}

// All resources that can have tags have them, and are in the location of the cluster.
func TestTagsAndLocation(t *testing.T) {
	t.Parallel()
	graph := made(t, full())
	for _, r := range graph.Resources() {
		if !strings.HasPrefix(r.Type, "azure-native:") {
			continue
		}
		in := r.Plain()
		equal(t, r.String()+" is in", any("shop-group"), in["resourceGroupName"])
		if slices.Contains([]string{"azure-native:network:Subnet", routeType}, r.Type) {
			continue
		}
		equal(t, r.String()+" is in", any("westeurope"), in["location"])
		equal(t, "tags of "+r.String(), any(map[string]any{"team": "shop"}), in["tags"])
	}
}

// Pulumi refuses to delete the control plane and the keys, and nothing else.
func TestProtectedResources(t *testing.T) {
	t.Parallel()
	protected := func(args *kubeadm.ClusterArgs) []string {
		var list []string
		for _, r := range made(t, args).Resources() {
			if r.Protect {
				list = append(list, r.Type+" "+r.Name)
			}
		}
		return list
	}
	equal(t, "by default", []string{
		machineType + " shop-control-plane-0", machineType + " shop-control-plane-1",
		machineType + " shop-control-plane-2", stashType + " shop-keys-0",
	}, protected(kind(network.FlannelVXLAN)))
	equal(t, "unprotected", []string(nil), protected(full()))
}

// A change of the program does not change the settings that a machine got when it was created.
func TestPropertiesOfMachinesThatDoNotChange(t *testing.T) {
	t.Parallel()
	graph := made(t, full())
	equal(t, "machines", 9, len(graph.ByType(machineType)))
	for _, vm := range graph.ByType(machineType) {
		equal(t, vm.String(), []string{"osProfile", "securityProfile", "storageProfile.imageReference"},
			vm.IgnoreChanges)
		if !vm.DeleteBeforeReplace {
			t.Errorf("%s has its interface when it is replaced", vm)
		}
	}
	equal(t, "keys", []string{"input"}, graph.MustGet(t, stashType, "shop-keys-0").IgnoreChanges)
	for _, extension := range graph.ByType(extensionType) {
		equal(t, extension.String(), []string{"protectedSettings"}, extension.IgnoreChanges)
		equal(t, extension.String(), strings.TrimSuffix(extension.Name, "-bootstrap"), extension.DeletedWith.Name())
	}
}

// The cluster has the machines of its plan.
func TestMachinesMatchThePlan(t *testing.T) {
	t.Parallel()
	args := full()
	var want []string
	for _, m := range description(args).Machines() {
		want = append(want, fmt.Sprintf("%s %s %s %v", m.Name, m.Pool.Size, m.Zone, m.Pool.Platform.IsWindows()))
	}
	var got []string
	for _, vm := range made(t, args).ByType(machineType) {
		in := vm.Plain()
		zone := ""
		if zones, ok := in["zones"].([]any); ok {
			zone = zones[0].(string)
		}
		profile := in["osProfile"].(map[string]any)
		_, windows := profile["windowsConfiguration"]
		got = append(got, fmt.Sprintf("%s %s %s %v", profile["computerName"], at(t, in, "hardwareProfile", "vmSize"),
			zone, windows))
		equal(t, "name in Azure", any("shop-prod-"+profile["computerName"].(string)), in["vmName"])
	}
	slices.Sort(want)
	slices.Sort(got)
	equal(t, "machines", want, got)
}

// description returns the plain part of the arguments.
func description(args *kubeadm.ClusterArgs) plan.Defaulted {
	return plan.Cluster{
		Name: args.ClusterName, KubernetesVersion: args.KubernetesVersion, Pools: args.Pools,
		PoolOptions: args.PoolOptions, ControlPlane: args.ControlPlane, Network: args.Network,
		APIServer: plan.APIServer{
			AuthorizedIPRanges: plainTexts(args.APIServer.AuthorizedIPRanges), Private: args.APIServer.Private,
			Options: args.APIServer.Options,
		},
		NodePortSources: plainTexts(args.NodePortSources), ServicePorts: args.ServicePorts,
		Releases: args.Releases,
	}.WithDefaults()
}

// plainTexts returns the texts of a plain list.
func plainTexts(in pulumi.StringArrayInput) []string {
	texts, _ := input.Texts(in, "")
	return texts
}

// The defaults of the arguments.
func TestDefaults(t *testing.T) {
	t.Parallel()
	graph := made(t, small(nil))
	linux := graph.MustGet(t, machineType, "shop-control-plane-0").Plain()
	equal(t, "size", any("Standard_D2s_v5"), at(t, linux, "hardwareProfile", "vmSize"))
	equal(t, "administrator", any("azureuser"), at(t, linux, "osProfile", "adminUsername"))
	equal(t, "group", any("shop-rg1a2b3c4d"), linux["resourceGroupName"])
	equal(t, "location", nil, linux["location"])
	for _, vm := range graph.ByType(machineType) {
		if !strings.HasPrefix(vm.Name, "shop-win22-") {
			continue
		}
		equal(t, "administrator", any("azureuser"), at(t, vm.Plain(), "osProfile", "adminUsername"))
		equal(t, "license", nil, vm.Plain()["licenseType"])
		equal(t, "image", map[string]any{
			"publisher": "MicrosoftWindowsServer", "offer": "WindowsServer", "sku": "2022-datacenter-core-g2",
			"version": "latest",
		}, at(t, vm.Plain(), "storageProfile", "imageReference").(map[string]any))
	}
}

// The hashes of programs for Linux are known.
func TestReleasesDefaultToKnownOnes(t *testing.T) {
	t.Parallel()
	graph := made(t, small(func(a *kubeadm.ClusterArgs) {
		a.Pools, a.Releases, a.WindowsAdmin = a.Pools[:1], bootstrap.Releases{}, kubeadm.WindowsAdmin{}
	}))
	data := customData(t, graph.MustGet(t, machineType, "shop-control-plane-0"))
	known := bootstrap.KnownReleases().Kubernetes
	of := slices.IndexFunc(known,
		func(r bootstrap.KubernetesRelease) bool { return strings.HasPrefix(r.Version, "1.36.") })
	if url := known[of].Kubelet.Linux.URL; !strings.Contains(data, url) {
		t.Errorf("%s is not downloaded", url)
	}
}

// Releases that are set replace the known ones, and no others.
func TestReleasesAreCompletedWithKnownOnes(t *testing.T) {
	t.Parallel()
	const runc = "https://downloads.example.com/runc"
	graph := made(t, small(func(a *kubeadm.ClusterArgs) {
		a.Pools, a.WindowsAdmin = a.Pools[:1], kubeadm.WindowsAdmin{}
		a.Releases = bootstrap.Releases{
			Runc: bootstrap.Release{Version: "1.4.9", Downloads: bootstrap.Downloads{
				Linux: bootstrap.Download{URL: runc, SHA256: strings.Repeat("5a", 32)},
			}},
			PauseImage: "registry.example.com/pause:3.10.2",
		}
	}))
	data := customData(t, graph.MustGet(t, machineType, "shop-control-plane-0"))
	known := bootstrap.KnownReleases()
	for _, text := range []string{
		strings.Repeat("5a", 32) + "\t" + runc + "\t", "registry.example.com/pause:3.10.2",
		known.Containerd.Linux.SHA256 + "\t" + known.Containerd.Linux.URL + "\t",
	} {
		if !strings.Contains(data, text) {
			t.Errorf("%q is nowhere", text)
		}
	}
	if strings.Contains(data, known.Runc.Linux.URL) {
		t.Error("the known runc is downloaded")
	}
}

// The names of machines contain the version of flannel. A program that does not set it, in a network without flannel,
// retains the names that its machines have.
func TestReleasesWithoutFlannelRetainTheirMachines(t *testing.T) {
	t.Parallel()
	args := small(func(a *kubeadm.ClusterArgs) {
		a.Network.Kind = network.UpstreamL3
		a.Releases.Flannel, a.Releases.FlannelPlugin = bootstrap.Release{}, bootstrap.Release{}
	})
	var want, got []string
	for _, machine := range description(args).Machines() {
		want = append(want, machine.Name)
	}
	for _, vm := range made(t, args).ByType(machineType) {
		got = append(got, at(t, vm.Plain(), "osProfile", "computerName").(string))
	}
	slices.Sort(want)
	slices.Sort(got)
	equal(t, "machines", want, got)
}
