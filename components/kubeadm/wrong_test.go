package kubeadm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Package plan tests the other errors.
func TestInvalidArguments(t *testing.T) {
	t.Parallel()
	ca, made := ownCA(), certificates(keysOf(small(nil)))
	const (
		badSecret    = "keys.secrets[0]: … (MK654)"
		noPrivateKey = "keys.cluster.pairs[0].privateKey: … (MK654)"
		noKey        = "linuxAdmin.sshPublicKey: … (MK655)"
	)
	for name, tt := range map[string]struct {
		change func(*kubeadm.ClusterArgs)
		want   string
	}{
		"a short secret":  {secrets("aHVzaA=="), badSecret},
		"an empty secret": {secrets(""), badSecret},

		"a CA without its key": {
			func(a *kubeadm.ClusterArgs) {
				a.Keys.Cluster.Pairs = []kubeadm.KeyPair{{Certificate: pulumi.String(ca.Certificate)}}
			}, noPrivateKey,
		},
		"a key without its CA": {
			func(a *kubeadm.ClusterArgs) {
				a.Keys.Cluster.Pairs = []kubeadm.KeyPair{{PrivateKey: pulumi.String(ca.PrivateKey)}}
			}, "keys.cluster.pairs[0].certificate: … (MK654)",
		},
		"a CA with another's key": {
			own(ca.Certificate, made.CA.PrivateKey), "keys.cluster.pairs[0].privateKey: … (MK661)",
		},
		"an invalid CA":          {own("hush", ca.PrivateKey), "keys.cluster.pairs[0].certificate: … (MK661)"},
		"an invalid key of a CA": {own(ca.Certificate, "hush"), "keys.cluster.pairs[0].privateKey: … (MK661)"},
		"an empty CA and key": {
			own("", ""), `
  keys.cluster.pairs[0].certificate: … (MK661)
  keys.cluster.pairs[0].privateKey: … (MK661)`,
		},
		"the key in the wrong place": {
			own(ca.PrivateKey, ca.PrivateKey), "keys.cluster.pairs[0].certificate: … (MK661)",
		},
		"a key of the service account": {
			own(made.ServiceAccount.Certificate, made.ServiceAccount.PrivateKey),
			"keys.cluster.pairs[0].certificate: … (MK661)",
		},

		"no key of the Linux administrator": {func(a *kubeadm.ClusterArgs) { a.LinuxAdmin.SSHPublicKey = nil }, noKey},
		"a common name on Linux": {
			func(a *kubeadm.ClusterArgs) { a.LinuxAdmin.Username = "root" }, "linuxAdmin.username: … (MK656)",
		},
		"a common name on Windows": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Username = "Administrator" },
			"windowsAdmin.username: … (MK656)",
		},
		"a long name on Windows": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Username = strings.Repeat("a", 21) },
			"windowsAdmin.username: … (MK656)",
		},
		"no password": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Password = nil }, "windowsAdmin.password: … (MK657)",
		},
		"a short password": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Password = pulumi.String("Hush-1") },
			"windowsAdmin.password: … (MK658)",
		},
		"a plain password": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Password = pulumi.String("hushhushhushhush") },
			"windowsAdmin.password: … (MK658)",
		},
		"an unknown license": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.LicenseType = "Windows_Client" },
			"windowsAdmin.licenseType: … (MK659)",
		},

		"hashes that are missing": {
			func(a *kubeadm.ClusterArgs) { a.Releases.Flannel.Windows.SHA256 = "" },
			"releases.flannel.windows.sha256: … (MK661)",
		},
		"options of an unknown pool": {
			func(a *kubeadm.ClusterArgs) {
				a.PoolOptions = map[string]kubeadm.PoolOptions{"win22": {Image: kubeadm.Image{ID: "x", SKU: "y"}}}
			}, "poolOptions[win22].image.id: … (MK647)",
		},
		"a name of a cluster": {func(a *kubeadm.ClusterArgs) { a.ClusterName = "Shop" }, "clusterName: … (MK640)"},
		"a control plane of two": {
			func(a *kubeadm.ClusterArgs) { a.ControlPlane.Count = 2 }, "controlPlane.count: … (MK641)",
		},
		"all at once": {
			func(a *kubeadm.ClusterArgs) {
				a.LinuxAdmin.SSHPublicKey, a.ControlPlane.Zones = nil, []string{""}
				a.Keys.Cluster.Pairs = []kubeadm.KeyPair{{Certificate: pulumi.String(ca.Certificate)}}
				a.Keys.Secrets = []pulumi.StringInput{pulumi.String("hush")}
				a.WindowsAdmin.LicenseType = "Windows_Client"
				a.Network.Kind = network.CalicoVXLAN
				a.Pools[1].Platform = platform.WindowsServer2025
			}, `
  controlPlane.zones[0]: … (MK661)
  keys.cluster.pairs[0].privateKey: … (MK654)
  keys.secrets[0]: … (MK654)
  linuxAdmin.sshPublicKey: … (MK655)
  pools[1]: … (MK661)
  windowsAdmin.licenseType: … (MK659)`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for mode, option := range modes {
				graph, err := mocktest.Run(newCluster(small(tt.change)), append(option, azure())...)
				wantError(t, mode, `mixedkube:kubeadm:Cluster "shop":`, tt.want, err)
				equal(t, "registered", 0, len(graph.Resources()))
				if strings.Contains(strings.ToLower(fmt.Sprint(err)), "hush") {
					t.Errorf("a secret shows: %v", err)
				}
			}
		})
	}
}

// Findings of an ignored rule stop nothing, and are logged.
func TestIgnoredRules(t *testing.T) {
	t.Parallel()
	graph := made(t, small(func(a *kubeadm.ClusterArgs) {
		a.NodePortSources = pulumi.ToStringArray([]string{"VirtualNetwork"})
		a.WindowsAdmin.LicenseType = "RHEL_BYOS"
		a.Ignore = []string{"MK649", "MK659"}
	}))
	equal(t, "log", "info: ignored: nodePortSources[0]: … (MK649)\n"+
		"info: ignored: windowsAdmin.licenseType: … (MK659)", brief(messages(graph)...))
	graph, err := mocktest.Run(newPool(goodPool(func(a *kubeadm.NodePoolArgs) {
		a.Pool.FIPS, a.Ignore = true, []string{"MK646"}
	})), azure())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "log", "info: ignored: pool.fips: … (MK646)", brief(messages(graph)...))
}

func TestRulesThatCannotBeIgnored(t *testing.T) {
	t.Parallel()
	const (
		mandatory  = `ignore[0]: Invalid value: "MK661": the component relies on this rule: remove it`
		misspelled = `ignore[1]: Invalid value: "MK6466": is not a rule: remove it, or did you mean MK646?`
		none       = `ignore[2]: Invalid value: "arm64": is not a rule: remove it`
	)
	ignore := []string{"MK661", "MK6466", "arm64"}
	want := "\n  " + mandatory + "\n  " + misspelled + "\n  " + none
	_, err := mocktest.Run(newCluster(small(func(a *kubeadm.ClusterArgs) { a.Ignore = ignore })), azure())
	wantError(t, "update", `mixedkube:kubeadm:Cluster "shop":`, want, err)
	_, err = mocktest.Run(newPool(goodPool(func(a *kubeadm.NodePoolArgs) { a.Ignore = ignore })), azure())
	wantError(t, "update", `mixedkube:kubeadm:NodePool "more":`, want, err)
}

// everyMessage returns the log.
func everyMessage(graph *mocktest.Graph) []string {
	var texts []string
	for _, log := range graph.Logs() {
		texts = append(texts, log.Severity+": "+log.Message)
	}
	return texts
}

// messages returns the log except that everyone can connect to the API server, which is so in most tests.
func messages(graph *mocktest.Graph) []string {
	var texts []string
	for _, text := range everyMessage(graph) {
		if !strings.HasSuffix(text, "(MK668)") {
			texts = append(texts, text)
		}
	}
	return texts
}

// brief returns texts without the sentences of rules: their own tests have them.
func brief(texts ...string) string { return ruletest.WithoutSentences(strings.Join(texts, "\n")) }

// wantError compares an error without its subject and the sentences of rules. A single finding is on the same line as
// the subject.
func wantError(t *testing.T, mode, subject, want string, err error) {
	t.Helper()
	if !strings.HasPrefix(want, "\n") {
		want = " " + want
	}
	if err == nil || brief(err.Error()) != subject+want {
		t.Errorf("in an %s the error is %v, want %s%s", mode, err, subject, want)
	}
}

func own(certificate, key string) func(*kubeadm.ClusterArgs) {
	return func(a *kubeadm.ClusterArgs) {
		a.Keys.Cluster.Pairs = []kubeadm.KeyPair{{
			Certificate: pulumi.String(certificate), PrivateKey: pulumi.String(key),
		}}
	}
}

func secrets(texts ...string) func(*kubeadm.ClusterArgs) {
	return func(a *kubeadm.ClusterArgs) {
		for _, text := range texts {
			a.Keys.Secrets = append(a.Keys.Secrets, pulumi.String(text))
		}
	}
}

// Without arguments there are many errors, and nothing panics.
func TestNoArguments(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(newCluster(nil))
	wantError(t, "update", `mixedkube:kubeadm:Cluster "shop":`, `
  kubernetesVersion: … (MK661)
  linuxAdmin.sshPublicKey: … (MK655)`, err)
	equal(t, "registered", 0, len(graph.Resources()))
}

// Arguments for Windows are not required if there are no Windows pools.
func TestNoWindowsAdministratorWithoutWindows(t *testing.T) {
	t.Parallel()
	graph := made(t, small(func(a *kubeadm.ClusterArgs) {
		a.Pools, a.WindowsAdmin = a.Pools[:1], kubeadm.WindowsAdmin{}
	}))
	equal(t, "machines", []string{"shop-control-plane-0", "shop-linux-linux-30g-0"}, names(graph, machineType))
}

// An invalid output fails the resources that use it, with the error of a plain string, even in a
// preview, and its value does not show.
func TestTextsThatAreOutputs(t *testing.T) {
	t.Parallel()
	ca := ownCA()
	for name, tt := range map[string]struct {
		set      func(*kubeadm.ClusterArgs, pulumi.StringOutput)
		right    string
		want     string
		exists   string
		missing  string
		missing2 string
	}{
		"the password": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) { a.WindowsAdmin.Password = out }, password,
			"windowsAdmin.password: … (MK658)", "shop-control-plane-0", "shop-win22-win22-7fh-0",
			"shop-win22-win22-7fh-1",
		},
		"the secret": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) { a.Keys.Secrets = []pulumi.StringInput{out} },
			configuredSecret, "keys.secrets[0]: … (MK654)", "shop-control-plane-0-interface", "shop-control-plane-0",
			"shop-linux-linux-30g-0",
		},
		"the key of the authority": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) {
				a.Keys.Cluster.Pairs = []kubeadm.KeyPair{{Certificate: pulumi.String(ca.Certificate), PrivateKey: out}}
			}, ca.PrivateKey, "keys.cluster.pairs[0].privateKey: … (MK661)", "shop-control-plane-0-interface",
			"shop-control-plane-0", "shop-linux-linux-30g-0",
		},
		"the key of the Linux administrator": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) { a.LinuxAdmin.SSHPublicKey = out }, sshKey,
			"linuxAdmin.sshPublicKey: … (MK655)", "shop-control-plane-0-interface", "shop-control-plane-0",
			"shop-linux-linux-30g-0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const bad = "iloveu!"
			program := func(value string) pulumi.RunFunc {
				return func(ctx *pulumi.Context) error {
					out, resolve, _ := ctx.NewOutput()
					go resolve(value)
					text := out.ApplyT(func(v any) string { return v.(string) }).(pulumi.StringOutput)
					_, err := kubeadm.NewCluster(ctx, "shop", small(func(a *kubeadm.ClusterArgs) { tt.set(a, text) }))
					return err
				}
			}
			for mode, option := range modes {
				if _, err := mocktest.Run(program(tt.right), append(option, azure())...); err != nil {
					t.Errorf("in an %s: %v", mode, err)
				}
				graph, err := mocktest.Run(program(bad), append(option, azure())...)
				if want := `mixedkube:kubeadm:Cluster "shop": ` + tt.want; err == nil ||
					!strings.HasSuffix(brief(err.Error()), ": "+want) {
					t.Fatalf("in an %s the error is %v, want %s at its end", mode, err, want)
				}
				if strings.Contains(err.Error()+graph.String(), bad) {
					t.Errorf("it shows: %v", err)
				}
				registered := map[string]bool{}
				for _, r := range graph.Resources() {
					registered[r.Name] = true
				}
				want := map[string]bool{tt.exists: true, tt.missing: false, tt.missing2: false}
				equal(t, "resources", want, map[string]bool{
					tt.exists: registered[tt.exists], tt.missing: registered[tt.missing],
					tt.missing2: registered[tt.missing2],
				})
			}
		})
	}
}

// The password of a pool is checked in the same way.
func TestAPasswordOfAPoolThatIsAnOutput(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(newPool(goodPool(func(a *kubeadm.NodePoolArgs) {
		a.WindowsAdmin.Password = pulumi.ToSecret("hush").(pulumi.StringOutput)
	})), mocktest.Preview(), azure())
	want := `: mixedkube:kubeadm:NodePool "more": windowsAdmin.password: … (MK658)`
	if err == nil || !strings.HasSuffix(brief(err.Error()), want) {
		t.Errorf("the error is %v, want %s at its end", err, want)
	}
}

// goodPool returns a valid pool, changed by the test.
func goodPool(change func(*kubeadm.NodePoolArgs)) *kubeadm.NodePoolArgs {
	args := &kubeadm.NodePoolArgs{
		ResourceGroupName: pulumi.String("shop-group"),
		ClusterName:       "shop",
		KubernetesVersion: "1.36",
		Pool:              topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: size},
		SubnetID:          pulumi.String("/subscriptions/s/subnets/nodes"),
		Network:           network.Network{NodeCIDR: prefix("10.240.0.0/24")},
		Endpoint:          pulumi.String("api.example.com:6443"),
		CACertHashes:      pulumi.ToStringArray([]string{"sha256:" + strings.Repeat("0", 64)}),
		Token:             pulumi.String(poolToken),
		WindowsAdmin:      kubeadm.WindowsAdmin{Password: pulumi.String(password)},
		Releases:          releases(),
	}
	if change != nil {
		change(args)
	}
	return args
}

func TestInvalidArgumentsOfAPool(t *testing.T) {
	t.Parallel()
	const noSSHKey = "linuxAdmin.sshPublicKey: … (MK655)"
	for name, tt := range map[string]struct {
		change func(*kubeadm.NodePoolArgs)
		want   string
	}{
		"no group":  {func(a *kubeadm.NodePoolArgs) { a.ResourceGroupName = nil }, "resourceGroupName: … (MK660)"},
		"no subnet": {func(a *kubeadm.NodePoolArgs) { a.SubnetID = nil }, "subnetID: … (MK660)"},
		"no token":  {func(a *kubeadm.NodePoolArgs) { a.Token = nil }, "token: … (MK660)"},
		"no route table": {
			func(a *kubeadm.NodePoolArgs) { a.Network.Kind = network.UpstreamL3 }, "routeTableName: … (MK660)",
		},
		"no password": {
			func(a *kubeadm.NodePoolArgs) { a.WindowsAdmin = kubeadm.WindowsAdmin{} },
			"windowsAdmin.password: … (MK657)",
		},
		"no SSH key":  {func(a *kubeadm.NodePoolArgs) { a.Pool.Platform = platform.Linux }, noSSHKey},
		"no endpoint": {func(a *kubeadm.NodePoolArgs) { a.Endpoint = nil }, "endpoint: … (MK661)"},
		"no name":     {func(a *kubeadm.NodePoolArgs) { a.ClusterName = "1" }, "clusterName: … (MK640)"},
		"an option of the kubelet": {
			func(a *kubeadm.NodePoolArgs) { a.Kubelet.PriorityClass = "HIGH" }, "kubelet.priorityClass: … (MK661)",
		},
		"all at once": {
			func(a *kubeadm.NodePoolArgs) {
				a.ResourceGroupName, a.SubnetID, a.Token, a.WindowsAdmin.Password = nil, nil, nil, pulumi.String("hush")
				a.Pool.FIPS, a.Network.Kind = true, network.HostGateway
			}, `
  pool.fips: … (MK646)
  resourceGroupName: … (MK660)
  routeTableName: … (MK660)
  subnetID: … (MK660)
  token: … (MK660)
  windowsAdmin.password: … (MK658)`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for mode, option := range modes {
				graph, err := mocktest.Run(newPool(goodPool(tt.change)), append(option, azure())...)
				wantError(t, mode, `mixedkube:kubeadm:NodePool "more":`, tt.want, err)
				equal(t, "registered", 0, len(graph.Resources()))
				if strings.Contains(fmt.Sprint(err), "hush") {
					t.Errorf("a secret shows: %v", err)
				}
			}
		})
	}
	t.Run("no arguments", func(t *testing.T) {
		t.Parallel()
		graph, err := mocktest.Run(newPool(nil))
		wantError(t, "update", `mixedkube:kubeadm:NodePool "more":`, `
  caCertHashes: … (MK661)
  linuxAdmin.sshPublicKey: … (MK655)
  network.nodeCIDR: … (MK661)
  pool.size: … (MK644)
  resourceGroupName: … (MK660)
  subnetID: … (MK660)
  token: … (MK660)`, err)
		equal(t, "registered", 0, len(graph.Resources()))
	})
}
