package kubeadm_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/payload"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// The messages that tests compare are those of one fixed day, 2026-01-01, on which no fact is old.
var _ = os.Setenv("SOURCE_DATE_EPOCH", "1767225600")

const (
	machineType   = "azure-native:compute:VirtualMachine"
	extensionType = "azure-native:compute:VirtualMachineExtension"
	interfaceType = "azure-native:network:NetworkInterface"
	groupType     = "azure-native:network:NetworkSecurityGroup"
	balancerType  = "azure-native:network:LoadBalancer"
	routeType     = "azure-native:network:Route"
	secretType    = "kubernetes:core/v1:Secret"
	stashType     = "pulumi:index:Stash"
	jobType       = "kubernetes:batch/v1:Job"
	nodeType      = "kubernetes:core/v1:Node"
	providerType  = "pulumi:providers:kubernetes"

	password = "Correct-Horse-Battery-9"
	// configuredSecret and otherSecret belong to no cluster.
	configuredSecret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	otherSecret      = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWc="
	sshKey           = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH someone"
	size             = "Standard_D4s_v5"
)

// clusterSecret is the secret that the cluster's keys are derived from.
var clusterSecret = kubeadmtest.GeneratedSecret("shop-keys-0")

// azure stands in for Azure.
func azure() mocktest.Option { return kubeadmtest.Azure() }

// modes are an update and a preview.
var modes = map[string][]mocktest.Option{"update": nil, "preview": {mocktest.Preview()}}

// releases returns the known releases with made-up hashes for those that are missing.
func releases() bootstrap.Releases {
	hashes := map[string]string{}
	for _, d := range bootstrap.KnownReleases().All() {
		if d.SHA256 == "" {
			hashes[d.URL] = strings.Repeat("0", 64)
		}
	}
	r, errs := bootstrap.KnownReleases().WithHashes(hashes, nil)
	if len(errs) > 0 {
		panic(errs.ToAggregate())
	}
	return r
}

// small returns a valid cluster with two pools, changed by the test.
func small(change func(*kubeadm.ClusterArgs)) *kubeadm.ClusterArgs {
	args := &kubeadm.ClusterArgs{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Count: 1, Size: size},
			{Name: "win22", Platform: platform.WindowsServer2022, Count: 2, Size: size},
		},
		LinuxAdmin:   kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String(sshKey)},
		WindowsAdmin: kubeadm.WindowsAdmin{Password: pulumi.String(password)},
		Releases:     releases(),
	}
	if change != nil {
		change(args)
	}
	return args
}

// kind returns the small cluster with a network, and three machines of the control plane.
func kind(k network.Kind) *kubeadm.ClusterArgs {
	return small(func(a *kubeadm.ClusterArgs) { a.Network.Kind, a.ControlPlane.Count = k, 3 })
}

// full returns a cluster with every setting.
func full() *kubeadm.ClusterArgs {
	ca := ownCA()
	return &kubeadm.ClusterArgs{
		ResourceGroupName: pulumi.String("shop-group"),
		ClusterName:       "shop-prod",
		Location:          pulumi.String("westeurope"),
		KubernetesVersion: "1.36",
		ControlPlane: kubeadm.ControlPlane{
			Count: 3, Size: "Standard_D8s_v5", OSDiskSizeGB: 128, Zones: []string{"1", "2", "3"},
			Image: kubeadm.Image{ID: "/subscriptions/s/images/linux"},
		},
		Pools: []topology.Pool{
			{
				Name: "linux", Platform: platform.Linux, Mode: topology.System, Count: 2, Size: size,
				Zones:      []string{"1", "2"},
				OSDiskType: topology.EphemeralDisk, Labels: map[string]string{"team": "shop"},
			},
			{
				Name: "spot", Platform: platform.Linux, Size: "Standard_F8s_v2", Spot: true, SpotMaxPrice: 0.25,
				KubernetesVersion: "1.35",
				Taints: []corev1.Taint{
					{Key: "spot", Effect: corev1.TaintEffectNoExecute},
					{Key: "rather-not", Value: "x", Effect: corev1.TaintEffectPreferNoSchedule},
				},
			},
			{Name: "win19", Platform: platform.WindowsServer2019, Size: size, Spot: true, OSDiskSizeGB: 256},
			{Name: "win22", Platform: platform.WindowsServer2022, Size: size, Zones: []string{"3"}, MaxPods: 60},
			{Name: "win25", Platform: platform.WindowsServer2025, Size: "Standard_D8s_v6"},
			{Name: "later", Platform: platform.Linux, Size: size, Empty: true},
		},
		PoolOptions: map[string]kubeadm.PoolOptions{
			"win25": {
				Kubelet: bootstrap.KubeletOptions{SystemReserved: map[string]string{"memory": "4Gi"}},
				Image: kubeadm.Image{
					Publisher: "MicrosoftWindowsServer", Offer: "WindowsServer",
					SKU: "2025-datacenter-g2", Version: "26100.1.1",
				},
			},
		},
		Network: network.Network{Kind: network.UpstreamL3},
		Keys: kubeadm.Keys{Cluster: kubeadm.Key{Pairs: []kubeadm.KeyPair{{
			Certificate: pulumi.String(ca.Certificate), PrivateKey: pulumi.String(ca.PrivateKey),
		}}}},
		LinuxAdmin: kubeadm.LinuxAdmin{Username: "operator", SSHPublicKey: pulumi.String(sshKey)},
		WindowsAdmin: kubeadm.WindowsAdmin{
			Username: "winoperator", Password: pulumi.ToSecret(password).(pulumi.StringOutput),
			LicenseType: "Windows_Server",
		},
		APIServer: kubeadm.APIServer{
			Private: true, AuthorizedIPRanges: pulumi.ToStringArray([]string{"10.9.0.0/16", "10.8.0.1"}),
			Options: bootstrap.APIServerOptions{
				OIDC: bootstrap.OIDC{IssuerURL: "https://login.example.com", ClientID: "kubectl"},
			},
		},
		NodePortSources: pulumi.ToStringArray([]string{"10.7.0.0/16"}),
		ServicePorts: []kubeadm.ServicePort{
			{Port: 80, NodePort: 30080},
			{Port: 443, NodePort: 30443, Sources: []string{"203.0.113.0/24"}},
		},
		Releases:    releases(),
		Tags:        pulumi.StringMap{"team": pulumi.String("shop")},
		Unprotected: true,
	}
}

// keysOf returns the keys of a cluster that kubeadmtest has created before.
func keysOf(args *kubeadm.ClusterArgs) pki.Keys {
	k := madeFrom(clusterSecret, cmp.Or(args.ClusterName, "shop"))
	if len(args.Keys.Cluster.Pairs) > 0 {
		k.Cluster.Configured = map[int]bootstrap.KeyPair{0: ownCA()}
	}
	return k
}

// madeFrom returns the keys from a generated secret.
func madeFrom(secret, cluster string) pki.Keys {
	s, err := pki.Generated(secret, cluster)
	if err != nil {
		panic(err)
	}
	return pki.Keys{Generations: []pki.Generation{{Secret: s, Created: kubeadmtest.Created}}}
}

func certificates(k pki.Keys) bootstrap.Certificates {
	c, err := k.Certificates()
	if err != nil {
		panic(err)
	}
	return c
}

// ownCA returns a certificate authority that does not come from the cluster's secret.
func ownCA() bootstrap.KeyPair { return certificates(madeFrom(otherSecret, "elsewhere")).CA }

// newCluster returns a program with one cluster.
func newCluster(args *kubeadm.ClusterArgs) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := kubeadm.NewCluster(ctx, "shop", args)
		return err
	}
}

// made returns the graph of a cluster in an update.
func made(t *testing.T, args *kubeadm.ClusterArgs) *mocktest.Graph {
	t.Helper()
	return mocktest.MustRun(t, newCluster(args), azure())
}

// names returns the sorted names of the resources of a type.
func names(graph *mocktest.Graph, typ string) []string {
	var names []string
	for _, r := range graph.ByType(typ) {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	return names
}

// at returns a value inside of plain properties: maps by key, lists by index.
func at(t *testing.T, plain any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, ok := plain.(map[string]any)
			if !ok {
				t.Fatalf("%v of %v", step, plain)
			}
			plain = object[step]
		case int:
			list, ok := plain.([]any)
			if !ok || len(list) <= step {
				t.Fatalf("%v of %v", step, plain)
			}
			plain = list[step]
		}
	}
	return plain
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// texts returns the strings in properties: those inside of secrets, or the others.
func texts(properties resource.PropertyMap, secret bool) []string {
	var list []string
	var walk func(v resource.PropertyValue, inside bool)
	walk = func(v resource.PropertyValue, inside bool) {
		switch {
		case v.IsSecret():
			walk(v.SecretValue().Element, true)
		case v.IsObject():
			for key, element := range v.ObjectValue() {
				walk(resource.NewProperty(string(key)), inside)
				walk(element, inside)
			}
		case v.IsArray():
			for _, element := range v.ArrayValue() {
				walk(element, inside)
			}
		case v.IsString() && inside == secret:
			list = append(list, v.StringValue())
		}
	}
	walk(resource.NewProperty(properties), false)
	return list
}

var encodedText = regexp.MustCompile(`[A-Za-z0-9+/]{16,}={0,2}`)

// unfolded returns a text, followed by everything in it that is encoded in base64, even if that is
// compressed or in UTF-16, and so on.
func unfolded(text string) string {
	var all strings.Builder
	all.WriteString(text)
	for _, part := range encodedText.FindAllString(text, -1) {
		b, err := base64.StdEncoding.DecodeString(part)
		if err != nil {
			continue
		}
		inside := string(b)
		if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
			if b, err := io.ReadAll(z); err == nil {
				inside = string(b)
			}
		} else if wide, ok := fromUTF16(b); ok {
			inside = wide
		}
		all.WriteString("\n" + unfolded(inside))
	}
	return all.String()
}

// fromUTF16 returns a text of PowerShell, whose letters have a zero as their second byte.
func fromUTF16(b []byte) (string, bool) {
	if len(b) < 8 || len(b)%2 != 0 || b[1] != 0 || b[3] != 0 {
		return "", false
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return string(utf16.Decode(units)), true
}

// tokenOf returns the token of a machine.
func tokenOf(k pki.Keys, vm mocktest.Resource) string {
	vmID := kubeadmtest.Outputs()(vm)["vmId"]
	return k.Token(mocktest.Plain(vm.Inputs)["osProfile"].(map[string]any)["computerName"].(string),
		vmID.StringValue())
}

// hidden returns the secrets of a cluster with these machines: passwords, keys and tokens, as they
// are and in base64.
func hidden(t *testing.T, args *kubeadm.ClusterArgs, machines ...mocktest.Resource) []string {
	t.Helper()
	secrets := []string{password, clusterSecret, otherSecret}
	k := keysOf(args)
	c := certificates(k)
	for _, pair := range []bootstrap.KeyPair{c.CA, c.EtcdCA, c.FrontProxyCA, c.ServiceAccount, ownCA()} {
		// A line of the key: the block as a whole may have other line ends.
		secrets = append(secrets, strings.Split(pair.PrivateKey, "\n")[1])
	}
	secrets = append(secrets, k.EncryptionKeys()...)
	for _, machine := range machines {
		secrets = append(secrets, pki.TokenSecret(tokenOf(k, machine)))
	}
	for _, secret := range slices.Clone(secrets) {
		secrets = append(secrets, base64.StdEncoding.EncodeToString([]byte(secret)))
	}
	return secrets
}

// mentions returns the secrets in a text, however they are encoded.
func mentions(text string, secrets []string) []string {
	text = unfolded(text)
	var found []string
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			found = append(found, secret)
		}
	}
	return found
}

// customData returns the decoded customData of a machine.
func customData(t *testing.T, vm mocktest.Resource) string {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(revealed(t, vm.Inputs, "osProfile", "customData"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// settings returns the protected settings of an extension, with everything that is encoded in them.
func settings(extension mocktest.Resource) string {
	return unfolded(strings.Join(texts(extension.Inputs, true), "\n"))
}

// brought returns the files that an extension brings onto its machine, decrypted with the key in
// the machine's customData.
func brought(t *testing.T, vm, extension mocktest.Resource) string {
	t.Helper()
	plain, err := payload.Decrypt(payload.In(settings(extension)), payload.KeyIn(unfolded(customData(t, vm))))
	if err != nil {
		t.Fatalf("%s: %v", extension, err)
	}
	return unfolded(base64.StdEncoding.EncodeToString(plain))
}

// revealed returns the text in a secret.
func revealed(t *testing.T, properties resource.PropertyMap, path ...resource.PropertyKey) string {
	t.Helper()
	v := resource.NewProperty(properties)
	for _, key := range path {
		if v.IsSecret() {
			v = v.SecretValue().Element
		}
		v = v.ObjectValue()[key]
	}
	if v.IsSecret() {
		v = v.SecretValue().Element
	}
	if !v.IsString() {
		t.Fatalf("%v is %v", path, v)
	}
	return v.StringValue()
}
