package kubeadm_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const poolToken = "tests0.notarealtoken000"

func prefix(text string) netip.Prefix { return netip.MustParsePrefix(text) }

// newPool returns a program with one pool.
func newPool(args *kubeadm.NodePoolArgs) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := kubeadm.NewNodePool(ctx, "more", args)
		return err
	}
}

// withProvider returns a program with one pool, and with a provider for the cluster that it joins.
func withProvider(args *kubeadm.NodePoolArgs) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		provider, err := kubernetes.NewProvider(ctx, "elsewhere", &kubernetes.ProviderArgs{})
		if err != nil {
			return err
		}
		_, err = kubeadm.NewNodePool(ctx, "more", args, pulumi.Providers(provider))
		return err
	}
}

func TestTheGraphOfAPool(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]func() *kubeadm.NodePoolArgs{
		"windows": func() *kubeadm.NodePoolArgs {
			return goodPool(func(a *kubeadm.NodePoolArgs) {
				a.Network.Kind, a.RouteTableName = network.UpstreamL3, pulumi.String("routes")
				a.Tags, a.Location = pulumi.StringMap{"team": pulumi.String("shop")}, pulumi.String("westeurope")
			})
		},
		"linux": func() *kubeadm.NodePoolArgs {
			return goodPool(func(a *kubeadm.NodePoolArgs) {
				a.Pool = topology.Pool{Name: "linux", Platform: platform.Linux, Size: size}
				a.WindowsAdmin, a.LinuxAdmin = kubeadm.WindowsAdmin{},
					kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String(sshKey)}
				a.ClusterName = ""
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			update := mocktest.MustRun(t, withProvider(args()), azure())
			args := args()
			// The outputs of the interfaces are unknown then too, as in Azure.
			args.SubnetID = mocktest.Unknown[pulumi.StringOutput]()
			preview := mocktest.MustRun(t, withProvider(args), azure(), mocktest.Preview())
			golden.UpdateAndPreview(t, "testdata/nodepool-"+name, readable(update), readable(preview))
		})
	}
}

func TestThePoolUsesTheProviderOfItsOptions(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, withProvider(goodPool(nil)), azure())
	provider := graph.MustGet(t, providerType, "elsewhere")
	inCluster := 0
	for _, r := range graph.Resources() {
		if strings.HasPrefix(r.Type, "kubernetes:") {
			inCluster++
			equal(t, "provider of "+r.String(), provider.URN, r.Provider)
		}
	}
	equal(t, "a job and a node for each machine", 4, inCluster)
}

// All machines have the same token, and it never shows.
func TestTheTokenOfAPoolIsASecret(t *testing.T) {
	t.Parallel()
	for mode, option := range modes {
		graph := mocktest.MustRun(t, newPool(goodPool(func(a *kubeadm.NodePoolArgs) {
			if mode == "preview" {
				a.SubnetID = mocktest.Unknown[pulumi.StringOutput]()
			}
		})), append(option, azure())...)
		secrets := []string{password, poolToken[7:]}
		for _, r := range graph.Resources() {
			equal(t, "secrets of "+r.String()+" that show", []string(nil),
				mentions(strings.Join(texts(r.Inputs, false), "\n"), secrets))
			if mode == "update" && r.Type == extensionType {
				vm := graph.MustGet(t, machineType, strings.TrimSuffix(r.Name, "-bootstrap"))
				equal(t, "secrets that "+r.String()+" brings", secrets[1:], mentions(brought(t, vm, r), secrets))
				equal(t, "secret of "+r.String(), []string{"protectedSettings.commandToExecute"}, r.Secrets())
			}
		}
	}
}

func TestPoolInAPreviewWithUnknownInputs(t *testing.T) {
	t.Parallel()
	unknown := mocktest.Unknown[pulumi.StringOutput]()
	graph := mocktest.MustRun(t, newPool(goodPool(func(a *kubeadm.NodePoolArgs) {
		a.ResourceGroupName, a.SubnetID, a.Token, a.WindowsAdmin.Password = unknown, unknown, unknown, unknown
		a.Network.Kind, a.RouteTableName = network.UpstreamL3, unknown
	})), mocktest.Preview(), azure())
	equal(t, "machines", []string{"more-win22-7fh-0", "more-win22-7fh-1"}, names(graph, machineType))
	for _, vm := range graph.ByType(machineType) {
		if !slices.Contains(vm.Unknowns(), "osProfile.adminPassword") ||
			!slices.Contains(vm.Secrets(), "osProfile.adminPassword") {
			t.Errorf("the password of %s is known, or not a secret", vm)
		}
	}
}

// With the certificate of the authority the machines find the cluster by a file, and need no hash.
func TestAPoolFindsTheClusterByItsAuthority(t *testing.T) {
	t.Parallel()
	ca := ownCA().Certificate
	for name, tt := range map[string]struct {
		change func(*kubeadm.NodePoolArgs)
		want   bool
	}{
		"a hash": {func(*kubeadm.NodePoolArgs) {}, false},
		"a certificate": {func(a *kubeadm.NodePoolArgs) {
			a.CACertHashes, a.CACertificate = nil, pulumi.String(ca).ToStringOutput()
		}, true},
	} {
		graph := mocktest.MustRun(t, newPool(goodPool(tt.change)), azure())
		for _, vm := range graph.ByType(machineType) {
			inside := unfolded(customData(t, vm))
			if got := strings.Contains(inside, strings.Split(ca, "\n")[1]); got != tt.want {
				t.Errorf("%s: %s knows the authority: %t", name, vm, got)
			}
			inside = brought(t, vm, graph.MustGet(t, extensionType, vm.Name+"-bootstrap"))
			if got := strings.Contains(inside, "kubeConfigPath"); got != tt.want {
				t.Errorf("%s: %s finds the cluster by a file: %t", name, vm, got)
			}
			if got := strings.Contains(inside, "caCertHashes"); got == tt.want {
				t.Errorf("%s: %s finds the cluster by a hash: %t", name, vm, got)
			}
		}
	}
}

// The machine that needs the token reports an invalid one when it is known.
func TestAnInvalidToken(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(newPool(goodPool(func(a *kubeadm.NodePoolArgs) { a.Token = pulumi.String("hush") })),
		azure())
	const want = "bootstrap: join.token: Invalid value: a bootstrap token is six lower-case letters or digits, a " +
		"period and sixteen more: create one with `kubeadm token generate`"
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
		t.Errorf("the error is %v, want %s in it", err, want)
	}
	equal(t, "extensions", []string(nil), names(graph, extensionType))
}

// A pool has a secret of its own: the key of a machine stays the same when the token changes, and
// neither its customData nor its settings alone give away the token.
func TestThePayloadKeysOfAPool(t *testing.T) {
	t.Parallel()
	const stash = "pulumi:index:Stash"
	for _, p := range []platform.Platform{platform.Linux, platform.WindowsServer2022} {
		t.Run(string(p), func(t *testing.T) {
			t.Parallel()
			args := goodPool(func(a *kubeadm.NodePoolArgs) {
				a.Pool.Platform = p
				a.LinuxAdmin = kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String(sshKey)}
				if !p.IsWindows() {
					a.WindowsAdmin = kubeadm.WindowsAdmin{}
				} else {
					a.LinuxAdmin = kubeadm.LinuxAdmin{}
				}
			})
			graph := mocktest.MustRun(t, withProvider(args), azure())
			payload := graph.MustGet(t, stash, "more-payload")
			equal(t, "secrets of "+payload.String(), []string{"input"}, payload.Secrets())
			secrets := []string{poolToken, strings.Split(poolToken, ".")[1]}
			for _, vm := range graph.ByType(machineType) {
				extension := graph.MustGet(t, extensionType, vm.Name+"-bootstrap")
				equal(t, "customData of "+vm.String(), []string(nil), mentions(customData(t, vm), secrets))
				equal(t, "settings of "+extension.String(), []string(nil), mentions(settings(extension), secrets))
				equal(t, "what "+extension.String()+" brings", secrets,
					mentions(brought(t, vm, extension), secrets))
			}
		})
	}
}
