package lab

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/azuresim/apiserver"
	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

func TestNodesOfMachinesMatchTheComponents(t *testing.T) {
	t.Parallel()
	config := stackconfig.Config{
		Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
			{
				Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5",
				Labels: map[string]string{"team": "web"},
			},
			{Name: "win", Platform: platform.WindowsServer2022, Size: "Standard_D8s_v5", Count: 2},
		}},
		Kubeadm: &stackconfig.Kubeadm{ControlPlane: plan.ControlPlane{Count: 3, Size: "Standard_D2s_v5"}},
	}
	version := regexp.MustCompile(`^(linux|win)-[a-z0-9]{3}-`)
	var got []string
	for _, node := range machineNodes(config, "v1.36.3") {
		_, role := node.Labels["node-role.kubernetes.io/control-plane"]
		_, excluded := node.Labels["node.kubernetes.io/exclude-from-external-load-balancers"]
		line := []string{
			version.ReplaceAllString(node.Name, "$1-xxx-"), node.Labels[corev1.LabelOSStable],
			node.Labels[corev1.LabelInstanceTypeStable], node.Labels["team"],
		}
		if role && excluded {
			line = append(line, "control plane")
		}
		for _, taint := range node.Spec.Taints {
			line = append(line, taint.ToString())
		}
		if node.Labels[corev1.LabelHostname] != node.Name || node.Status.NodeInfo.KubeletVersion != "v1.36.3" {
			t.Errorf("node %s is %v", node.Name, node)
		}
		got = append(got, strings.Join(line, ", "))
	}
	const controlPlane = ", linux, Standard_D2s_v5, , control plane, node-role.kubernetes.io/control-plane:NoSchedule"
	want := []string{
		"control-plane-0" + controlPlane, "control-plane-1" + controlPlane, "control-plane-2" + controlPlane,
		"linux-xxx-0, linux, Standard_D4s_v5, web",
		"win-xxx-0, windows, Standard_D8s_v5, , os=windows:NoSchedule",
		"win-xxx-1, windows, Standard_D8s_v5, , os=windows:NoSchedule",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}

// The lab has a load balancer where the real cluster has one.
func TestClustersWithLoadBalancers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		config stackconfig.Config
		want   bool
	}{
		"given": {stackconfig.Config{}, true},
		"given, and without any": {
			stackconfig.Config{
				Topology: topology.Topology{MissingFeatures: []topology.Feature{topology.LoadBalancers}},
			}, false,
		},
		"on AKS":      {stackconfig.Config{AKS: &stackconfig.AKS{}}, true},
		"on machines": {stackconfig.Config{Kubeadm: &stackconfig.Kubeadm{}}, false},
	} {
		if got := HasLoadBalancers(tt.config); got != tt.want {
			t.Errorf("%s: got %t, want %t", name, got, tt.want)
		}
	}
}

// The control plane has the defaults of the components.
func TestTheControlPlaneHasDefaults(t *testing.T) {
	t.Parallel()
	nodes := machineNodes(stackconfig.Config{
		Topology: topology.Topology{KubernetesVersion: "1.36"},
		Kubeadm:  &stackconfig.Kubeadm{},
	}, "v1.36.3")
	if len(nodes) != 1 || nodes[0].Name != plan.ControlPlanePool+"-0" ||
		nodes[0].Labels[corev1.LabelInstanceTypeStable] != plan.DefaultControlPlaneSize {
		t.Errorf("the nodes are %v", nodes)
	}
}

const (
	testGroup    = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg"
	testNetwork  = testGroup + "/providers/Microsoft.Network/"
	testMachines = testGroup + "/providers/Microsoft.Compute/virtualMachines/"
)

// azureLab returns a lab with an Azure that has only a resource group.
func azureLab(t *testing.T) (*Lab, *arm.Cloud) {
	t.Helper()
	l := newTestLab(t, newCheckout(t, goodStack), t.TempDir(), io.Discard)
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, cloud, testGroup, `{}`)
	return l, cloud
}

// put creates a resource in the region of the tests. NETWORK stands for the prefix of the IDs of network resources.
func put(t *testing.T, cloud *arm.Cloud, id, text string) arm.Body {
	t.Helper()
	body := arm.Body{}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "NETWORK/", testNetwork)), &body); err != nil {
		t.Fatal(err)
	}
	body["location"] = "westeurope"
	answer, err := cloud.Put(t.Context(), id, body)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return answer
}

// putNetwork creates a network with a public load balancer in front of the API server,
// and returns the load balancer's address.
func putNetwork(t *testing.T, cloud *arm.Cloud) string {
	t.Helper()
	put(t, cloud, testNetwork+"publicIPAddresses/out", `{"properties": {"publicIPAllocationMethod": "Static"}}`)
	put(t, cloud, testNetwork+"natGateways/nat",
		`{"sku": {"name": "Standard"}, "properties": {"publicIpAddresses": [{"id": "NETWORK/publicIPAddresses/out"}]}}`)
	letIn(t, cloud, "*")
	put(t, cloud, testNetwork+"virtualNetworks/net",
		`{"properties": {"addressSpace": {"addressPrefixes": ["10.1.0.0/16"]}, `+
			`"subnets": [{"name": "nodes", "properties": {
		"addressPrefix": "10.1.0.0/24", "natGateway": {"id": "NETWORK/natGateways/nat"}, `+
			`"networkSecurityGroup": {"id": "NETWORK/networkSecurityGroups/nodes"}}}]}}`)
	address := put(t, cloud, testNetwork+"publicIPAddresses/api",
		`{"properties": {"publicIPAllocationMethod": "Static"}}`)
	put(t, cloud, testNetwork+"loadBalancers/lb", `{"sku": {"name": "Standard"}, "properties": {
		"frontendIPConfigurations": [{"name": "api", `+
		`"properties": {"publicIPAddress": {"id": "NETWORK/publicIPAddresses/api"}}}],
		"backendAddressPools": [{"name": "api"}], `+
		`"probes": [{"name": "api", "properties": {"protocol": "Tcp", "port": 6443}}],
		"loadBalancingRules": [{"name": "api", "properties": {"protocol": "Tcp", `+
		`"frontendPort": 6443, "backendPort": 6443,
			"frontendIPConfiguration": {"id": "NETWORK/loadBalancers/lb/frontendIPConfigurations/api"},
			"backendAddressPool": {"id": "NETWORK/loadBalancers/lb/backendAddressPools/api"}, `+
		`"probe": {"id": "NETWORK/loadBalancers/lb/probes/api"}}}]}}`)
	putNIC(t, cloud, "one",
		`, "loadBalancerBackendAddressPools": [{"id": "NETWORK/loadBalancers/lb/backendAddressPools/api"}]`)
	putNIC(t, cloud, "two", "")
	text, _ := address["properties"].(map[string]any)["ipAddress"].(string)
	return text
}

// letIn allows a range on the internet to reach port 6443.
func letIn(t *testing.T, cloud *arm.Cloud, from string) {
	t.Helper()
	put(t, cloud, testNetwork+"networkSecurityGroups/nodes",
		`{"properties": {"securityRules": [{"name": "api", "properties": {
		"priority": 100, "direction": "Inbound", "access": "Allow", "protocol": "Tcp", `+
			`"sourcePortRange": "*", "destinationPortRange": "6443",
		"sourceAddressPrefix": "`+from+`", "destinationAddressPrefix": "*"}}]}}`)
}

func putNIC(t *testing.T, cloud *arm.Cloud, name, more string) {
	t.Helper()
	put(t, cloud, testNetwork+"networkInterfaces/"+name,
		`{"properties": {"ipConfigurations": [{"name": "ip", "properties": {
		"subnet": {"id": "NETWORK/virtualNetworks/net/subnets/nodes"}`+more+`}}]}}`)
}

// putMachine creates a machine with customData, on the network interface of its name.
func putMachine(t *testing.T, cloud *arm.Cloud, name, customData string) {
	t.Helper()
	put(t, cloud, testMachines+name, `{"properties": {
		"hardwareProfile": {"vmSize": "Standard_D2s_v5"}, `+
		`"networkProfile": {"networkInterfaces": [{"id": "NETWORK/networkInterfaces/`+name+`"}]},
		"storageProfile": {"osDisk": {"createOption": "FromImage"}, `+
		`"imageReference": {"publisher": "Canonical", "offer": "ubuntu-24_04-lts", `+
		`"sku": "server", "version": "latest"}},
		"osProfile": {"computerName": "`+name+`", "adminUsername": "operator", "adminPassword": "Correct-Horse-42", `+
		`"customData": "`+base64.StdEncoding.EncodeToString([]byte(customData))+`"}}}`)
}

// creates returns the customData of a machine that creates a cluster with an endpoint and keys.
func creates(endpoint string) string {
	return bootstrap.CloudConfig(append(machinetest.Linux("init"),
		machinetest.LinuxConfiguration(machinetest.Init("one", endpoint)),
		machinetest.LinuxKey("ca.crt", "the certificate"), machinetest.LinuxKey("ca.key", "the key"),
		machinetest.LinuxKey("sa.key", "another key")))
}

// replaceable returns the customData of a machine that creates a cluster with keys that can be
// replaced. It has all eight keys.
func replaceable(endpoint string, keys map[string]string) string {
	files := append(machinetest.Linux("init"), machinetest.LinuxConfiguration(machinetest.Init("one", endpoint)),
		machinetest.ReplaceKeys())
	for name, content := range keys {
		files = append(files, machinetest.LinuxKey(name, content))
	}
	return bootstrap.CloudConfig(files)
}

// allKeys returns all keys of a control plane, with a bundle of certificates.
func allKeys(mark string, certificates ...string) map[string]string {
	keys := map[string]string{"ca.crt": strings.Join(certificates, "")}
	for _, name := range []string{
		"ca.key", "front-proxy-ca.crt", "front-proxy-ca.key", "etcd/ca.crt", "etcd/ca.key", "sa.pub", "sa.key",
	} {
		keys[name] = mark + " " + name
	}
	return keys
}

// giveKeys replaces the keys of a machine by a run command.
func giveKeys(t *testing.T, cloud *arm.Cloud, name string, keys map[string]string) {
	t.Helper()
	script, err := json.Marshal(bootstrap.KeysScript())
	if err != nil {
		t.Fatal(err)
	}
	put(t, cloud, testMachines+"one/runCommands/"+name, `{"properties": {"treatFailureAsDeploymentFailure": true,
		"source": {"script": `+string(script)+`}, "protectedParameters": [{"name": "`+bootstrap.KeysParameter+
		`", "value": "`+machinetest.KeysPayload(machinetest.PayloadKey(), keys)+`"}]}}`)
}

// newAuthority returns the certificate of a new authority, in PEM.
func newAuthority(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kubernetes"}, IsCA: true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// The proxy and the status show what a run command replaces: the keys of the control plane, and
// the machines that no longer trust it.
func TestKeysThatARunCommandReplaces(t *testing.T) {
	t.Parallel()
	l, cloud := azureLab(t)
	endpoint := putNetwork(t, cloud) + ":6443"
	before, after := newAuthority(t), newAuthority(t)
	putMachine(t, cloud, "one", replaceable(endpoint, allKeys("old", before)))
	putMachine(t, cloud, "two", joins("two", "10.1.0.5", endpoint))
	check := func(certificates, key string, problems ...string) {
		t.Helper()
		keys, simulated, err := l.resolve(t.Context(), endpoint)
		if want := (apiserver.Keys{CACert: certificates, CAKey: key}); keys != want || !simulated || err != nil {
			t.Errorf("got %v, %t, %v, want %v", keys, simulated, err, want)
		}
		got, err := l.notJoined(t.Context())
		if diff := cmp.Diff(problems, got); diff != "" || err != nil {
			t.Errorf("error %v, problems (-want +got):\n%s", err, diff)
		}
	}
	check(before, "old ca.key")
	giveKeys(t, cloud, "trust", allKeys("old", before, after))
	check(before+after, "old ca.key")
	giveKeys(t, cloud, "distrust", allKeys("new", after))
	check(after, "new ca.key", "machine two has lost the cluster: x509: certificate signed by unknown authority: the "+
		"kubelet does not trust the authority that has signed the certificate of the API server")
	if err := cloud.Delete(t.Context(), testMachines+"two"); err != nil {
		t.Fatal(err)
	}
	check(after, "new ca.key")
}

// waits returns the customData of a machine that has no configuration for kubeadm.
func waits() string { return bootstrap.CloudConfig(machinetest.Linux("init")) }

// joins returns the customData of a machine that joins the cluster at an endpoint.
func joins(name, address, endpoint string) string {
	return bootstrap.CloudConfig(append(machinetest.Linux("join"),
		machinetest.LinuxConfiguration(machinetest.Join(name, address, endpoint, ""))))
}

func TestReasonsWhyMachinesHaveNotJoined(t *testing.T) {
	t.Parallel()
	l, cloud := azureLab(t)
	check := func(want ...string) {
		t.Helper()
		got, err := l.notJoined(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
	}
	check()
	endpoint := putNetwork(t, cloud) + ":6443"
	putMachine(t, cloud, "two", joins("two", "10.1.0.5", endpoint))
	putMachine(t, cloud, "one", waits())
	check("machine two has not joined: no API server answers at "+endpoint+": connection refused",
		"machine one has not joined: nothing on it runs kubeadm with a configuration")
	if err := cloud.Delete(t.Context(), testMachines+"one"); err != nil {
		t.Fatal(err)
	}
	putMachine(t, cloud, "one", creates(endpoint))
	check("machine two has not joined: no API server answers at " + endpoint + ": connection refused")
	put(t, cloud, testMachines+"two", `{}`) // it tries again
	check()
}

func TestResolveAddresses(t *testing.T) {
	t.Parallel()
	l, cloud := azureLab(t)
	address := putNetwork(t, cloud)
	endpoint := address + ":6443"
	keys := apiserver.Keys{CACert: "the certificate", CAKey: "the key"}
	check := func(address string, want apiserver.Keys, simulated bool, why string) {
		t.Helper()
		got, ok, err := l.resolve(t.Context(), address)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if got != want || ok != simulated || message != why {
			t.Errorf("%s: got %v, %v, %q, want %v, %v, %q", address, got, ok, message, want, simulated, why)
		}
	}
	for _, external := range []string{
		"api.example.com:6443", "198.51.100.9:6443", "127.0.0.1:6443", "10.1.0.4:6443",
		address,
	} {
		check(external, apiserver.Keys{}, false, "")
	}
	from := "TCP from 198.51.100.1 to "
	check("203.0.113.254:6443", apiserver.Keys{}, true,
		from+"203.0.113.254:6443 is dropped: the cloud has no such public address")
	check(address+":443", apiserver.Keys{}, true,
		from+address+":443 is dropped: the load balancer lb has no rule for that port")
	check(endpoint, apiserver.Keys{}, true, "connect to "+endpoint+": connection refused")
	// A machine that waits for its configuration does not answer either.
	putMachine(t, cloud, "one", waits())
	check(endpoint, apiserver.Keys{}, true, "connect to "+endpoint+": connection refused")
	if err := cloud.Delete(t.Context(), testMachines+"one"); err != nil {
		t.Fatal(err)
	}
	putMachine(t, cloud, "one", creates(endpoint))
	check(endpoint, keys, true, "")
	letIn(t, cloud, "192.0.2.0/24")
	check(endpoint, apiserver.Keys{}, true,
		"the network security group nodes denies "+from+"10.1.0.4:6443: rule DenyAllInBound (priority 65500)")
	letIn(t, cloud, "198.51.100.1")
	check(endpoint, keys, true, "")
}
