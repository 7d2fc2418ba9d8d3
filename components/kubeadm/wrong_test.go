package kubeadm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// Package plan tests the other errors.
func TestInvalidArguments(t *testing.T) {
	t.Parallel()
	ca, made := ownCA(), certificates(keysOf(small(nil)))
	const (
		badSecret = "keys.secrets[0]: Invalid value: must be at least 32 characters, 12 of them different: create " +
			"one with `openssl rand -base64 32` (MK654)"
		noPrivateKey = "keys.cluster.pairs[0].privateKey: Required value: it signs: give its private key (MK654)"
		noKey        = "linuxAdmin.sshPublicKey: Required value: Azure does not create a Linux machine without a key " +
			"of its administrator: give the content of a file like ~/.ssh/id_ed25519.pub (MK655)"
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
			}, "keys.cluster.pairs[0].certificate: Required value: give the certificate, or the public key (MK654)",
		},
		"a CA with another's key": {
			own(ca.Certificate, made.CA.PrivateKey),
			"keys.cluster.pairs[0].privateKey: Invalid value: does not match the public key of " +
				"keys.cluster.pairs[0].certificate (MK661)",
		},
		"an invalid CA": {
			own("hush", ca.PrivateKey),
			"keys.cluster.pairs[0].certificate: Invalid value: must be a certificate in PEM (MK661)",
		},
		"an invalid key of a CA": {
			own(ca.Certificate, "hush"),
			"keys.cluster.pairs[0].privateKey: Invalid value: must be a private key in PEM, without a password (MK661)",
		},
		"an empty CA and key": {
			own("", ""),
			"\n  keys.cluster.pairs[0].certificate: Required value: required together with the private key: set both " +
				"(MK661)\n  keys.cluster.pairs[0].privateKey: Required value: required together with the " +
				"certificate: set both (MK661)",
		},
		"the key in the wrong place": {
			own(ca.PrivateKey, ca.PrivateKey),
			"keys.cluster.pairs[0].certificate: Invalid value: must be a certificate in PEM (MK661)",
		},
		"a key of the service account": {
			own(made.ServiceAccount.Certificate, made.ServiceAccount.PrivateKey),
			"keys.cluster.pairs[0].certificate: Invalid value: must be a certificate in PEM (MK661)",
		},

		"no key of the Linux administrator": {func(a *kubeadm.ClusterArgs) { a.LinuxAdmin.SSHPublicKey = nil }, noKey},
		"a common name on Linux": {
			func(a *kubeadm.ClusterArgs) { a.LinuxAdmin.Username = "root" },
			`linuxAdmin.username: Invalid value: "root": Azure refuses this name: use one that is less common, for ` +
				`example azureuser (MK656)`,
		},
		"a common name on Windows": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Username = "Administrator" },
			`windowsAdmin.username: Invalid value: "Administrator": Azure refuses this name: use one that is less ` +
				`common, for example azureuser (MK656)`,
		},
		"a long name on Windows": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Username = strings.Repeat("a", 21) },
			`windowsAdmin.username: Invalid value: "aaaaaaaaaaaaaaaaaaaaa": must have 1 to 20 characters: use a ` +
				`shorter one (MK656)`,
		},
		"no password": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Password = nil },
			"windowsAdmin.password: Required value: Azure does not create a Windows machine without one: give it as " +
				"a secret (MK657)",
		},
		"a short password": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Password = pulumi.String("Hush-1") },
			"windowsAdmin.password: Invalid value: must have 8 to 123 characters: use another (MK658)",
		},
		"a plain password": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Password = pulumi.String("hushhushhushhush") },
			"windowsAdmin.password: Invalid value: must have characters of at least three kinds: lower-case " +
				"letters, upper-case letters, digits, special characters: use another (MK658)",
		},
		"an unknown license": {
			func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.LicenseType = "Windows_Client" },
			`windowsAdmin.licenseType: Invalid value: "Windows_Client": must be "Windows_Server", or empty (MK659)`,
		},

		"hashes that are missing": {
			func(a *kubeadm.ClusterArgs) { a.Releases.Flannel.Windows.SHA256 = "" },
			"releases.flannel.windows.sha256: Required value: the node verifies flanneld for Windows with this " +
				"hash: read it at https://github.com/flannel-io/flannel/releases/tag/v0.28.10, or compute it from " +
				"https://github.com/flannel-io/flannel/releases/download/v0.28.10/flanneld.exe (MK661)",
		},
		"options of an unknown pool": {
			func(a *kubeadm.ClusterArgs) {
				a.PoolOptions = map[string]kubeadm.PoolOptions{"win22": {Image: kubeadm.Image{ID: "x", SKU: "y"}}}
			},
			`poolOptions[win22].image.id: Invalid value: "x": give an ID, or publisher, offer, sku and version, not ` +
				`both (MK647)`,
		},
		"a name of a cluster": {
			func(a *kubeadm.ClusterArgs) { a.ClusterName = "Shop" },
			`clusterName: Invalid value: "Shop": must be 1 to 30 lower-case letters, digits and hyphens, with a ` +
				`letter first and no hyphen last: the names of resources in Azure begin with it (MK640)`,
		},
		"a control plane of two": {
			func(a *kubeadm.ClusterArgs) { a.ControlPlane.Count = 2 },
			"controlPlane.count: Invalid value: 2: must be 1, 3 or 5: etcd needs more than half of its members, so " +
				"that an even number tolerates no more failures than one fewer (MK641)",
		},
		"all at once": {
			func(a *kubeadm.ClusterArgs) {
				a.LinuxAdmin.SSHPublicKey, a.ControlPlane.Zones = nil, []string{""}
				a.Keys.Cluster.Pairs = []kubeadm.KeyPair{{Certificate: pulumi.String(ca.Certificate)}}
				a.Keys.Secrets = []pulumi.StringInput{pulumi.String("hush")}
				a.WindowsAdmin.LicenseType = "Windows_Client"
				a.Network.Kind = network.CalicoVXLAN
				a.Pools[1].Platform = platform.WindowsServer2025
			},
			"\n  controlPlane.zones[0]: Required value: name the zone, or remove it from the list " +
				"(MK661)\n  " + noPrivateKey + "\n  " + badSecret + "\n  " + noKey +
				"\n  pools[1]: Invalid value: \"windows-2025\": Calico supports Windows Server 2019 and 2022, not " +
				"2025 yet: use flannel-vxlan, or another platform (MK661)\n  " +
				`windowsAdmin.licenseType: Invalid value: "Windows_Client": must be ` +
				`"Windows_Server", or empty (MK659)`,
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
	equal(t, "log", []string{
		`info: ignored: nodePortSources[0]: Invalid value: "VirtualNetwork": must be an address or a CIDR, ` +
			`203.0.113.0/24 for example (MK649)`,
		`info: ignored: windowsAdmin.licenseType: Invalid value: "RHEL_BYOS": must be "Windows_Server", or empty ` +
			`(MK659)`,
	}, messages(graph))
	graph, err := mocktest.Run(newPool(goodPool(func(a *kubeadm.NodePoolArgs) {
		a.Pool.FIPS, a.Ignore = true, []string{"MK646"}
	})), azure())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "log", []string{
		"info: ignored: pool.fips: Invalid value: true: a virtual machine has it only if its image has it: leave it " +
			"out, and set an image that has it (MK646)",
	}, messages(graph))
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

// wantError compares an error without its subject. A single finding is on the same line as the
// subject.
func wantError(t *testing.T, mode, subject, want string, err error) {
	t.Helper()
	if !strings.HasPrefix(want, "\n") {
		want = " " + want
	}
	if err == nil || err.Error() != subject+want {
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
	wantError(t, "update", `mixedkube:kubeadm:Cluster "shop":`, "\n"+
		"  kubernetesVersion: Required value: set the version of Kubernetes that the nodes run, for example 1.36 "+
		"(MK661)\n"+
		"  linuxAdmin.sshPublicKey: Required value: Azure does not create a Linux machine without a key of its "+
		"administrator: give the content of a file like ~/.ssh/id_ed25519.pub (MK655)", err)
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
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) { a.WindowsAdmin.Password = out },
			password, "windowsAdmin.password: Invalid value: must have 8 to 123 characters: use another (MK658)",
			"shop-control-plane-0", "shop-win22-win22-7fh-0", "shop-win22-win22-7fh-1",
		},
		"the secret": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) { a.Keys.Secrets = []pulumi.StringInput{out} },
			configuredSecret, "keys.secrets[0]: Invalid value: must be at least 32 characters, 12 of them different: " +
				"create one with `openssl rand -base64 32` (MK654)",
			"shop-control-plane-0-interface", "shop-control-plane-0", "shop-linux-linux-30g-0",
		},
		"the key of the authority": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) {
				a.Keys.Cluster.Pairs = []kubeadm.KeyPair{{Certificate: pulumi.String(ca.Certificate), PrivateKey: out}}
			},
			ca.PrivateKey, "keys.cluster.pairs[0].privateKey: Invalid value: must be a private key in PEM, without a " +
				"password (MK661)",
			"shop-control-plane-0-interface", "shop-control-plane-0", "shop-linux-linux-30g-0",
		},
		"the key of the Linux administrator": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) { a.LinuxAdmin.SSHPublicKey = out },
			sshKey, "linuxAdmin.sshPublicKey: Invalid value: must be a public key of the kind ssh-ed25519 or " +
				"ssh-rsa, the content of a file like ~/.ssh/id_ed25519.pub (MK655)",
			"shop-control-plane-0-interface", "shop-control-plane-0", "shop-linux-linux-30g-0",
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
					!strings.HasSuffix(err.Error(), ": "+want) {
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
	want := `: mixedkube:kubeadm:NodePool "more": windowsAdmin.password: Invalid value: must have 8 to 123 ` +
		`characters: use another (MK658)`
	if err == nil || !strings.HasSuffix(err.Error(), want) {
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
	const (
		noSSHKey = "linuxAdmin.sshPublicKey: Required value: Azure does not create a Linux machine without a key of " +
			"its administrator: give the content of a file like ~/.ssh/id_ed25519.pub (MK655)"
	)
	for name, tt := range map[string]struct {
		change func(*kubeadm.NodePoolArgs)
		want   string
	}{
		"no group": {
			func(a *kubeadm.NodePoolArgs) { a.ResourceGroupName = nil },
			"resourceGroupName: Required value: name the resource group that the machines are created in (MK660)",
		},
		"no subnet": {
			func(a *kubeadm.NodePoolArgs) { a.SubnetID = nil },
			"subnetID: Required value: set the subnet of the machines (MK660)",
		},
		"no token": {
			func(a *kubeadm.NodePoolArgs) { a.Token = nil },
			"token: Required value: create one with `kubeadm token create`, and give it as a secret (MK660)",
		},
		"no route table": {
			func(a *kubeadm.NodePoolArgs) { a.Network.Kind = network.UpstreamL3 },
			"routeTableName: Required value: a network of the kind upstream-l3 has a route to each machine (MK660)",
		},
		"no password": {
			func(a *kubeadm.NodePoolArgs) { a.WindowsAdmin = kubeadm.WindowsAdmin{} },
			"windowsAdmin.password: Required value: Azure does not create a Windows machine without one: give it as " +
				"a secret (MK657)",
		},
		"no SSH key": {func(a *kubeadm.NodePoolArgs) { a.Pool.Platform = platform.Linux }, noSSHKey},
		"no endpoint": {
			func(a *kubeadm.NodePoolArgs) { a.Endpoint = nil },
			"endpoint: Required value: no node has controlPlane: set the address of the API server, for example " +
				"api.example.com:6443 (MK661)",
		},
		"no name": {
			func(a *kubeadm.NodePoolArgs) { a.ClusterName = "1" },
			`clusterName: Invalid value: "1": must be 1 to 30 lower-case letters, digits and hyphens, with a letter ` +
				`first and no hyphen last: the names of resources in Azure begin with it (MK640)`,
		},
		"an option of the kubelet": {
			func(a *kubeadm.NodePoolArgs) { a.Kubelet.PriorityClass = "HIGH" },
			`kubelet.priorityClass: Invalid value: "HIGH": unknown priority class (use IDLE_PRIORITY_CLASS, ` +
				`BELOW_NORMAL_PRIORITY_CLASS, NORMAL_PRIORITY_CLASS, ABOVE_NORMAL_PRIORITY_CLASS, ` +
				`HIGH_PRIORITY_CLASS or REALTIME_PRIORITY_CLASS) (MK661)`,
		},
		"all at once": {
			func(a *kubeadm.NodePoolArgs) {
				a.ResourceGroupName, a.SubnetID, a.Token, a.WindowsAdmin.Password = nil, nil, nil, pulumi.String("hush")
				a.Pool.FIPS, a.Network.Kind = true, network.HostGateway
			},
			"\n  pool.fips: Invalid value: true: a virtual machine has it only if its image has it: leave it out, " +
				"and set an image that has it (MK646)\n" +
				"  resourceGroupName: Required value: name the resource group that the machines are created in " +
				"(MK660)\n  routeTableName: Required value: a network of the kind host-gateway has a route to each " +
				"machine (MK660)\n" +
				"  subnetID: Required value: set the subnet of the machines (MK660)\n" +
				"  token: Required value: create one with `kubeadm token create`, and give it as a secret (MK660)\n" +
				"  windowsAdmin.password: Invalid value: must have 8 to 123 characters: use another (MK658)",
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
		wantError(t, "update", `mixedkube:kubeadm:NodePool "more":`, "\n"+
			"  caCertHashes: Required value: without it the node would trust any server that answers: give the "+
			"hash that `kubeadm token create --print-join-command` shows (MK661)\n"+
			"  "+noSSHKey+"\n"+
			"  network.nodeCIDR: Required value: the range of the nodes' own addresses, 10.0.0.0/24 for example "+
			"(MK661)\n"+
			"  pool.size: Required value: the size of the virtual machines, Standard_D4s_v5 for example (MK644)\n"+
			"  resourceGroupName: Required value: name the resource group that the machines are created in (MK660)\n"+
			"  subnetID: Required value: set the subnet of the machines (MK660)\n"+
			"  token: Required value: create one with `kubeadm token create`, and give it as a secret (MK660)", err)
		equal(t, "registered", 0, len(graph.Resources()))
	})
}
