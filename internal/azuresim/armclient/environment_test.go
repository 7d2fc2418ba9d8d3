package armclient

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

func TestAzureFromEnvironment(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ dir, delay, operation, want string }{
		{"", "", "", "MIXEDKUBE_AZURE_DIR is not set: set it to the directory of the simulated Azure"},
		{"x", "soon", "", `MIXEDKUBE_AZURE_RETRY_DELAY: "soon" is not a duration: use 500ms for example`},
		{"x", "-1s", "", `MIXEDKUBE_AZURE_RETRY_DELAY: "-1s" is not a duration: use 500ms for example`},
		{"x", "", "long", `MIXEDKUBE_AZURE_OPERATION: "long" is not a duration: use 300ms for example`},
	} {
		variables := map[string]string{
			DirVariable: x.dir, RetryDelayVariable: x.delay, OperationVariable: x.operation,
		}
		if _, err := fromVariables(func(name string) string { return variables[name] }, nil); err == nil ||
			err.Error() != x.want {
			t.Errorf("the error is %v, want %s", err, x.want)
		}
	}
}

// Operations on a cluster take as long as the environment says, and other changes are refused meanwhile.
func TestDurationOfOperationsFromEnvironment(t *testing.T) {
	t.Parallel()
	for operation, busy := range map[string]bool{"": true, "0s": false, "1ms": true} {
		dir := t.TempDir()
		variables := map[string]string{DirVariable: dir, OperationVariable: operation}
		client, err := fromVariables(func(name string) string { return variables[name] }, nil)
		if err != nil {
			t.Fatal(err)
		}
		mustPut(t, client, group, arm.Body{"location": "westeurope"})
		mustPut(t, client, cluster, arm.Body{
			"location": "westeurope", "identity": arm.Body{"type": "SystemAssigned"},
			"properties": arm.Body{"dnsPrefix": "c", "agentPoolProfiles": []any{
				arm.Body{"name": "sys", "mode": "System", "count": 1.0, "vmSize": "Standard_D4s_v5"},
			}},
		})
		state, err := os.ReadFile(filepath.Join(dir, "state.json"))
		if err != nil {
			t.Fatal(err)
		}
		if began := strings.Contains(string(state), `"operations"`); began != busy {
			t.Errorf("%s=%q: there are operations: %t, want %t", OperationVariable, operation, began, busy)
		}
	}
}

// A feature that the environment does not name is not registered.
func TestFeaturesFromEnvironment(t *testing.T) {
	t.Parallel()
	for features, want := range map[string]string{
		"": "InvalidParameter: The property 'securityProfile.encryptionAtHost' is not valid because the " +
			"'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
		"Microsoft.Compute/Other,Microsoft.Compute/EncryptionAtHost": "",
	} {
		variables := map[string]string{DirVariable: t.TempDir(), FeaturesVariable: features}
		client, err := fromVariables(func(name string) string { return variables[name] }, nil)
		if err != nil {
			t.Fatal(err)
		}
		mustPut(t, client, group, arm.Body{"location": "westeurope"})
		putNetwork(t, client)
		body := decoded(t, virtualMachine)
		body["properties"].(map[string]any)["securityProfile"] = map[string]any{"encryptionAtHost": true}
		if _, err := client.Put(t.Context(), oneMachine, body); message(err) != want {
			t.Errorf("with the features %q the error is %v, want %s", features, err, want)
		}
	}
}

// The preview of Windows needs true.
func TestTheUpgradeOfWindowsFromEnvironment(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{
		"": "PropertyChangeNotAllowed: Changing property 'properties.osSKU' is not allowed.", "true": "",
	} {
		variables := map[string]string{
			DirVariable: t.TempDir(), OperationVariable: "0s", WindowsUpgradeVariable: set,
		}
		client, err := fromVariables(func(name string) string { return variables[name] }, nil)
		if err != nil {
			t.Fatal(err)
		}
		mustPut(t, client, group, arm.Body{"location": "westeurope"})
		mustPut(t, client, cluster, arm.Body{
			"location": "westeurope", "identity": arm.Body{"type": "SystemAssigned"},
			"properties": arm.Body{
				"dnsPrefix": "c", "kubernetesVersion": "1.35",
				"networkProfile": arm.Body{"networkPlugin": "azure", "networkPluginMode": "overlay"},
				"windowsProfile": arm.Body{"adminUsername": "operator", "adminPassword": "Correct-Horse-42"},
				"agentPoolProfiles": []any{
					arm.Body{"name": "sys", "mode": "System", "count": 1.0, "vmSize": "Standard_D4s_v5"},
				},
			},
		})
		pool := func(sku string, fips bool) arm.Body {
			return arm.Body{"properties": arm.Body{
				"count": 1.0, "vmSize": "Standard_D4s_v5", "osType": "Windows", "osSKU": sku, "enableFIPS": fips,
			}}
		}
		mustPut(t, client, cluster+"/agentPools/win", pool("Windows2022", false))
		_, err = client.Put(t.Context(), cluster+"/agentPools/win", pool("Windows2025", true))
		if message(err) != want {
			t.Errorf("with %s=%s the error is %v, want %s", WindowsUpgradeVariable, set, err, want)
		}
	}
}

const cluster = group + "/providers/Microsoft.ContainerService/managedClusters/c"

// An Azure without a cluster for its nodes works, but has no credentials.
func TestNoCredentialsWithoutACluster(t *testing.T) {
	t.Parallel()
	variables := map[string]string{DirVariable: t.TempDir()}
	client, err := fromVariables(func(name string) string { return variables[name] }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Put(t.Context(), group, arm.Body{"location": "westeurope"}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Put(t.Context(), cluster, arm.Body{
		"location": "westeurope", "identity": map[string]any{"type": "SystemAssigned"},
		"properties": map[string]any{"dnsPrefix": "c", "agentPoolProfiles": []any{map[string]any{
			"name": "sys", "mode": "System", "count": 1.0, "vmSize": "Standard_D4s_v5", "osType": "Linux",
			"type": "VirtualMachineScaleSets",
		}}},
	}); err != nil {
		t.Fatal(err)
	}
	_, err = client.Post(t.Context(), cluster, "listClusterUserCredential", arm.Body{})
	if want := "MIXEDKUBE_AZURE_KUBECONFIG is not set: set it to the path of the cluster's kubeconfig"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// network has a network interface and outbound access to the internet.
const network = `{
	"publicIPAddresses/out": {"properties": {"publicIPAllocationMethod": "Static"}},
	"natGateways/nat": {"sku": {"name": "Standard"}, ` +
	`"properties": {"publicIpAddresses": [{"id": "NETWORK/publicIPAddresses/out"}]}},
	"virtualNetworks/net": {"properties": {"addressSpace": {"addressPrefixes": ["10.1.0.0/16"]}, "subnets": [
		{"name": "nodes", "properties": {"addressPrefix": "10.1.0.0/24", ` +
	`"natGateway": {"id": "NETWORK/natGateways/nat"}}}]}},
	"networkInterfaces/nic": {"properties": {"ipConfigurations": [{"name": "ip", ` +
	`"properties": {"subnet": {"id": "NETWORK/virtualNetworks/net/subnets/nodes"}}}]}}
}`

const virtualMachine = `{"properties": {
	"hardwareProfile": {"vmSize": "Standard_D2s_v5"}, ` +
	`"networkProfile": {"networkInterfaces": [{"id": "NETWORK/networkInterfaces/nic"}]},
	"storageProfile": {"osDisk": {"createOption": "FromImage"}, ` +
	`"imageReference": {"publisher": "Canonical", "offer": "ubuntu-24_04-lts", "sku": "server", "version": "latest"}},
	"osProfile": {"computerName": "one", "adminUsername": "operator", "adminPassword": "Correct-Horse-42", ` +
	`"customData": "CUSTOMDATA"}}}`

const (
	group      = "/subscriptions/" + SubscriptionID + "/resourceGroups/rg"
	oneMachine = group + "/providers/Microsoft.Compute/virtualMachines/one"
)

// decoded returns a body in the region of the tests.
func decoded(t *testing.T, text string) arm.Body {
	t.Helper()
	body := arm.Body{}
	customData := base64.StdEncoding.EncodeToString([]byte(bootstrap.CloudConfig(machinetest.Linux("init"))))
	text = strings.NewReplacer("NETWORK", group+"/providers/Microsoft.Network", "CUSTOMDATA", customData).Replace(text)
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		t.Fatal(err)
	}
	body["location"] = "westeurope"
	return body
}

func mustPut(t *testing.T, client *Client, id string, body arm.Body) {
	t.Helper()
	if _, err := client.Put(t.Context(), id, body); err != nil {
		t.Fatalf("%s: %v", id, err)
	}
}

// putNetwork creates the network.
func putNetwork(t *testing.T, client *Client) {
	t.Helper()
	all := decoded(t, network)
	for _, name := range []string{
		"publicIPAddresses/out", "natGateways/nat", "virtualNetworks/net",
		"networkInterfaces/nic",
	} {
		body := all[name].(map[string]any)
		body["location"] = "westeurope"
		mustPut(t, client, group+"/providers/Microsoft.Network/"+name, body)
	}
}

// runsKubeadm returns an extension that brings the configuration of a new cluster.
func runsKubeadm() arm.Body {
	script := bootstrap.LinuxScript([]bootstrap.File{
		machinetest.LinuxConfiguration(machinetest.Init("one", "api.example.com:6443")),
	}, machinetest.PayloadKey())
	return arm.Body{"location": "westeurope", "properties": arm.Body{
		"publisher": "Microsoft.Azure.Extensions", "type": "CustomScript", "typeHandlerVersion": "2.1",
		"protectedSettings": arm.Body{"script": base64.StdEncoding.EncodeToString([]byte(script))},
	}}
}

// deaf returns a cluster that no machine can join or leave.
func deaf(kubeconfig string) arm.Options {
	err := errors.New(kubeconfig + " does not answer")
	return arm.Options{
		Join:         func(context.Context, arm.Join) error { return err },
		NodesDeleted: func(context.Context, []string) error { return err },
	}
}

// If there is a cluster, machines join it and leave it. Without one, they do so without nodes.
func TestMachinesJoinTheClusterOfTheKubeconfig(t *testing.T) {
	t.Parallel()
	variables := map[string]string{DirVariable: t.TempDir(), RetryDelayVariable: "0s"}
	open := func(kubeconfig string) *Client {
		variables[KubeconfigVariable] = kubeconfig
		client, err := fromVariables(func(name string) string { return variables[name] }, deaf)
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	const none, why = "/kubeconfig", "/kubeconfig does not answer"
	client := open(none)
	mustPut(t, client, group, arm.Body{"location": "westeurope"})
	putNetwork(t, client)
	mustPut(t, client, oneMachine, decoded(t, virtualMachine))
	_, err := client.Put(t.Context(), oneMachine+"/extensions/boot", runsKubeadm())
	if want := "Error message: 'Enable failed: " + why + "'."; !strings.Contains(message(err), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
	mustPut(t, open(""), oneMachine+"/extensions/boot", runsKubeadm())
	if err, want := open(none).Delete(t.Context(), oneMachine),
		"InternalOperationError: The cluster was not notified of deleted machines: "+why; message(err) != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if err := open("").Delete(t.Context(), oneMachine); err != nil {
		t.Error(err)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
