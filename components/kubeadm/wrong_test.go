package kubeadm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

// What is wrong with the rest is tested in package azurevm.
func TestWhatIsWrongWithTheArguments(t *testing.T) {
	t.Parallel()
	ca, made := ownCA(), certificates(clusterSecret, bootstrap.KeyPair{})
	const (
		noSecret  = "secret: Required value: the keys of the cluster are made from it: give 32 random bytes in base64, from `openssl rand -base64 32`, as a secret"
		badSecret = "secret: Invalid value: must be at least 32 random bytes in base64: make one with `openssl rand -base64 32`"
		both      = "certificateAuthority: Required value: give the certificate and its private key, or neither"
		noKey     = "linuxAdmin.sshPublicKey: Required value: Azure makes no Linux machine without a key of its administrator: give the content of a file like ~/.ssh/id_ed25519.pub"
	)
	for name, tt := range map[string]struct {
		change func(*kubeadm.ClusterArgs)
		want   string
	}{
		"no secret":             {func(a *kubeadm.ClusterArgs) { a.Secret = nil }, noSecret},
		"a short secret":        {func(a *kubeadm.ClusterArgs) { a.Secret = pulumi.String("aHVzaA==") }, badSecret},
		"a secret that is none": {func(a *kubeadm.ClusterArgs) { a.Secret = pulumi.String("hush, hush") }, badSecret},
		"an empty secret":       {func(a *kubeadm.ClusterArgs) { a.Secret = pulumi.String("") }, badSecret},

		"a CA without its key":         {func(a *kubeadm.ClusterArgs) { a.CertificateAuthority.Certificate = pulumi.String(ca.Certificate) }, both},
		"a key without its CA":         {func(a *kubeadm.ClusterArgs) { a.CertificateAuthority.PrivateKey = pulumi.String(ca.PrivateKey) }, both},
		"a CA with another's key":      {own(ca.Certificate, made.CA.PrivateKey), "certificateAuthority.privateKey: Invalid value: belongs to another public key than that of certificateAuthority.certificate"},
		"a CA that is none":            {own("hush", ca.PrivateKey), "certificateAuthority.certificate: Invalid value: must be a certificate in PEM"},
		"a key of a CA that is none":   {own(ca.Certificate, "hush"), "certificateAuthority.privateKey: Invalid value: must be a private key in PEM, without a password"},
		"a CA and key that are empty":  {own("", ""), "\n  certificateAuthority.certificate: Required value: it belongs to the private key: give both\n  certificateAuthority.privateKey: Required value: kubeadm signs with it: give both"},
		"the key in the wrong place":   {own(ca.PrivateKey, ca.PrivateKey), "certificateAuthority.certificate: Invalid value: must be a certificate in PEM"},
		"a key of the service account": {own(made.ServiceAccount.Certificate, made.ServiceAccount.PrivateKey), "certificateAuthority.certificate: Invalid value: must be a certificate in PEM"},

		"no key of the Linux administrator": {func(a *kubeadm.ClusterArgs) { a.LinuxAdmin.SSHPublicKey = nil }, noKey},
		"a common name on Linux":            {func(a *kubeadm.ClusterArgs) { a.LinuxAdmin.Username = "root" }, `linuxAdmin.username: Invalid value: "root": Azure refuses this name: use one that is less common, for example azureuser`},
		"a common name on Windows":          {func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Username = "Administrator" }, `windowsAdmin.username: Invalid value: "Administrator": Azure refuses this name: use one that is less common, for example azureuser`},
		"a long name on Windows":            {func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Username = strings.Repeat("a", 21) }, `windowsAdmin.username: Invalid value: "aaaaaaaaaaaaaaaaaaaaa": must have 1 to 20 characters: use a shorter one`},
		"no password":                       {func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Password = nil }, "windowsAdmin.password: Required value: Azure makes no Windows machine without one: give it as a secret"},
		"a short password":                  {func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Password = pulumi.String("Hush-1") }, "windowsAdmin.password: Invalid value: must have 8 to 123 characters: use another"},
		"a plain password":                  {func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.Password = pulumi.String("hushhushhushhush") }, "windowsAdmin.password: Invalid value: must have three of lower-case letters, upper-case letters, digits and special characters: use another"},
		"a licence that there is not":       {func(a *kubeadm.ClusterArgs) { a.WindowsAdmin.LicenseType = "Windows_Client" }, `windowsAdmin.licenseType: Invalid value: "Windows_Client": must be "Windows_Server", or empty`},

		"hashes that are missing": {
			func(a *kubeadm.ClusterArgs) { a.Releases.Flannel.Windows.SHA256 = "" },
			"releases.flannel.windows.sha256: Required value: the node compares flanneld for Windows with it: compute it from the file",
		},
		"options of a pool that there is not": {
			func(a *kubeadm.ClusterArgs) {
				a.PoolOptions = map[string]kubeadm.PoolOptions{"win22": {Image: kubeadm.Image{ID: "x", SKU: "y"}}}
			},
			`poolOptions[win22].image.id: Invalid value: "x": give an ID, or publisher, offer, sku and version, not both`,
		},
		"a name of a cluster": {
			func(a *kubeadm.ClusterArgs) { a.ClusterName = "Shop" },
			`clusterName: Invalid value: "Shop": must be 1 to 30 lower-case letters, digits and hyphens, with a letter first and no hyphen last: the names of resources in Azure begin with it`,
		},
		"a control plane of two": {
			func(a *kubeadm.ClusterArgs) { a.ControlPlane.Count = 2 },
			"controlPlane.count: Invalid value: 2: must be 1, 3 or 5: etcd needs more than half of its members, so that an even number bears no more failures than the odd one below",
		},
		"all at once": {
			func(a *kubeadm.ClusterArgs) {
				a.Secret, a.LinuxAdmin.SSHPublicKey, a.ControlPlane.Zones = nil, nil, []string{""}
				a.CertificateAuthority.Certificate = pulumi.String(ca.Certificate)
				a.WindowsAdmin.LicenseType = "Windows_Client"
				a.Network.Kind = network.CalicoVXLAN
				a.Pools[1].Platform = platform.WindowsServer2025
			},
			"\n  " + both + "\n  controlPlane.zones[0]: Required value: name the zone, or remove it from the list\n  " + noKey +
				"\n  pools[1]: Invalid value: \"windows-2025\": Calico supports Windows Server 2019 and 2022, not 2025 yet: use flannel-vxlan, or another platform\n  " +
				noSecret + "\n  " + `windowsAdmin.licenseType: Invalid value: "Windows_Client": must be "Windows_Server", or empty`,
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

// wantError compares an error without its subject: one stands on the line of it.
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
		a.CertificateAuthority = kubeadm.CertificateAuthority{Certificate: pulumi.String(certificate), PrivateKey: pulumi.String(key)}
	}
}

// Without arguments there is much to say, and nothing panics.
func TestNoArguments(t *testing.T) {
	t.Parallel()
	graph, err := mocktest.Run(newCluster(nil))
	wantError(t, "update", `mixedkube:kubeadm:Cluster "shop":`, "\n"+
		"  kubernetesVersion: Required value: the nodes' programs are of it, 1.36 for example\n"+
		"  linuxAdmin.sshPublicKey: Required value: Azure makes no Linux machine without a key of its administrator: give the content of a file like ~/.ssh/id_ed25519.pub\n"+
		"  secret: Required value: the keys of the cluster are made from it: give 32 random bytes in base64, from `openssl rand -base64 32`, as a secret", err)
	equal(t, "registered", 0, len(graph.Resources()))
}

// What is for Windows only is not asked for where there is none.
func TestNoWindowsAdministratorWithoutWindows(t *testing.T) {
	t.Parallel()
	graph := made(t, small(func(a *kubeadm.ClusterArgs) {
		a.Pools, a.WindowsAdmin = a.Pools[:1], kubeadm.WindowsAdmin{}
	}))
	equal(t, "machines", []string{"shop-control-plane-0", "shop-linux-linux-3xr-0"}, names(graph, machineType))
}

// What is wrong with an output fails what needs it, with the error of a plain string, in a
// preview as well, and shows nothing.
func TestTextsThatAreOutputs(t *testing.T) {
	t.Parallel()
	ca := ownCA()
	for name, tt := range map[string]struct {
		set       func(*kubeadm.ClusterArgs, pulumi.StringOutput)
		right     string
		want      string
		there     string
		notThere  string
		notThere2 string
	}{
		"the password": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) { a.WindowsAdmin.Password = out },
			password, "windowsAdmin.password: Invalid value: must have 8 to 123 characters: use another",
			"shop-control-plane-0", "shop-win22-win22-cwp-0", "shop-win22-win22-cwp-1",
		},
		"the secret": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) { a.Secret = out },
			clusterSecret, "secret: Invalid value: must be at least 32 random bytes in base64: make one with `openssl rand -base64 32`",
			"shop-control-plane-0", "shop-control-plane-0-bootstrap", "shop-linux-linux-3xr-0-bootstrap",
		},
		"the key of the authority": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) {
				a.CertificateAuthority = kubeadm.CertificateAuthority{Certificate: pulumi.String(ca.Certificate), PrivateKey: out}
			},
			ca.PrivateKey, "certificateAuthority.privateKey: Invalid value: must be a private key in PEM, without a password",
			"shop-control-plane-0", "shop-control-plane-0-bootstrap", "shop-linux-linux-3xr-0-bootstrap",
		},
		"the key of the Linux administrator": {
			func(a *kubeadm.ClusterArgs, out pulumi.StringOutput) { a.LinuxAdmin.SSHPublicKey = out },
			sshKey, "linuxAdmin.sshPublicKey: Invalid value: must be a public key of the kind ssh-ed25519 or ssh-rsa, the content of a file like ~/.ssh/id_ed25519.pub",
			"shop-control-plane-0-interface", "shop-control-plane-0", "shop-linux-linux-3xr-0",
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
				if want := `mixedkube:kubeadm:Cluster "shop": ` + tt.want; err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
					t.Fatalf("in an %s the error is %v, want %s at its end", mode, err, want)
				}
				if strings.Contains(err.Error()+graph.String(), bad) {
					t.Errorf("it shows: %v", err)
				}
				there := map[string]bool{}
				for _, r := range graph.Resources() {
					there[r.Name] = true
				}
				want := map[string]bool{tt.there: true, tt.notThere: false, tt.notThere2: false}
				equal(t, "what is there", want, map[string]bool{
					tt.there: there[tt.there], tt.notThere: there[tt.notThere], tt.notThere2: there[tt.notThere2],
				})
			}
		})
	}
}

// A password of the pool's is no other.
func TestAPasswordOfAPoolThatIsAnOutput(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(newPool(goodPool(func(a *kubeadm.NodePoolArgs) {
		a.WindowsAdmin.Password = pulumi.ToSecret("hush").(pulumi.StringOutput)
	})), mocktest.Preview(), azure())
	want := `: mixedkube:kubeadm:NodePool "more": windowsAdmin.password: Invalid value: must have 8 to 123 characters: use another`
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("the error is %v, want %s at its end", err, want)
	}
}

// goodPool is a pool that nothing is wrong with.
func goodPool(change func(*kubeadm.NodePoolArgs)) *kubeadm.NodePoolArgs {
	args := &kubeadm.NodePoolArgs{
		ResourceGroupName: pulumi.String("shop-group"),
		ClusterName:       "shop",
		KubernetesVersion: "1.36",
		Pool:              topology.Pool{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: size},
		SubnetID:          pulumi.String("/subscriptions/s/subnets/nodes"),
		Network:           network.Network{NodeCIDR: prefix("10.240.0.0/24")},
		Endpoint:          "api.example.com:6443",
		CACertHashes:      []string{"sha256:" + strings.Repeat("0", 64)},
		Token:             pulumi.String(poolToken),
		WindowsAdmin:      kubeadm.WindowsAdmin{Password: pulumi.String(password)},
		Releases:          releases(),
	}
	if change != nil {
		change(args)
	}
	return args
}

func TestWhatIsWrongWithTheArgumentsOfAPool(t *testing.T) {
	t.Parallel()
	const (
		noSSHKey = "linuxAdmin.sshPublicKey: Required value: Azure makes no Linux machine without a key of its administrator: give the content of a file like ~/.ssh/id_ed25519.pub"
	)
	for name, tt := range map[string]struct {
		change func(*kubeadm.NodePoolArgs)
		want   string
	}{
		"no group":  {func(a *kubeadm.NodePoolArgs) { a.ResourceGroupName = nil }, "resourceGroupName: Required value: say where the machines are made"},
		"no subnet": {func(a *kubeadm.NodePoolArgs) { a.SubnetID = nil }, "subnetID: Required value: say which subnet the machines are in"},
		"no token":  {func(a *kubeadm.NodePoolArgs) { a.Token = nil }, "token: Required value: make one with `kubeadm token create`, and give it as a secret"},
		"no route table": {
			func(a *kubeadm.NodePoolArgs) { a.Network.Kind = network.UpstreamL3 },
			"routeTableName: Required value: a network of the kind upstream-l3 has a route to each machine",
		},
		"no password": {
			func(a *kubeadm.NodePoolArgs) { a.WindowsAdmin = kubeadm.WindowsAdmin{} },
			"windowsAdmin.password: Required value: Azure makes no Windows machine without one: give it as a secret",
		},
		"no SSH key":  {func(a *kubeadm.NodePoolArgs) { a.Pool.Platform = platform.Linux }, noSSHKey},
		"no endpoint": {func(a *kubeadm.NodePoolArgs) { a.Endpoint = "" }, "endpoint: Required value: no node is one of the control plane: say where the API server is, api.example.com:6443 for example"},
		"no name":     {func(a *kubeadm.NodePoolArgs) { a.ClusterName = "1" }, `clusterName: Invalid value: "1": must be 1 to 30 lower-case letters, digits and hyphens, with a letter first and no hyphen last: the names of resources in Azure begin with it`},
		"an option of the kubelet": {
			func(a *kubeadm.NodePoolArgs) { a.Kubelet.PriorityClass = "HIGH" },
			`kubelet.priorityClass: Invalid value: "HIGH": unknown priority class (there are IDLE_PRIORITY_CLASS, BELOW_NORMAL_PRIORITY_CLASS, NORMAL_PRIORITY_CLASS, ABOVE_NORMAL_PRIORITY_CLASS, HIGH_PRIORITY_CLASS, REALTIME_PRIORITY_CLASS)`,
		},
		"all at once": {
			func(a *kubeadm.NodePoolArgs) {
				a.ResourceGroupName, a.SubnetID, a.Token, a.WindowsAdmin.Password = nil, nil, nil, pulumi.String("hush")
				a.Pool.FIPS, a.Network.Kind = true, network.HostGateway
			},
			"\n  pool.fips: Invalid value: true: a virtual machine has it from its image only: leave it out, and give an image that has it\n" +
				"  resourceGroupName: Required value: say where the machines are made\n" +
				"  routeTableName: Required value: a network of the kind host-gateway has a route to each machine\n" +
				"  subnetID: Required value: say which subnet the machines are in\n" +
				"  token: Required value: make one with `kubeadm token create`, and give it as a secret\n" +
				"  windowsAdmin.password: Invalid value: must have 8 to 123 characters: use another",
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
			"  caCertHashes: Required value: without it the node would trust whoever answers: give the hash that `kubeadm token create --print-join-command` shows\n"+
			"  "+noSSHKey+"\n"+
			"  network.nodeCIDR: Required value: the range of the nodes' own addresses, 10.0.0.0/24 for example\n"+
			"  pool.size: Required value: the size of the virtual machines, Standard_D4s_v5 for example\n"+
			"  resourceGroupName: Required value: say where the machines are made\n"+
			"  subnetID: Required value: say which subnet the machines are in\n"+
			"  token: Required value: make one with `kubeadm token create`, and give it as a secret", err)
		equal(t, "registered", 0, len(graph.Resources()))
	})
}
