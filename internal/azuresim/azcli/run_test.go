package azcli_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/azuresim/azcli"
)

type object = map[string]any

const cluster = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg" +
	"/providers/Microsoft.ContainerService/managedClusters/c"

// cloud has a cluster with two pools, and records its requests.
type cloud struct {
	resources map[string]arm.Body
	requests  []string
	put       arm.Body
	refusal   error
}

func newCloud() *cloud {
	return &cloud{resources: map[string]arm.Body{
		cluster: {"id": cluster, "name": "c", "location": "westeurope", "properties": object{
			"kubernetesVersion": "1.36", "windowsProfile": object{"adminUsername": "azureuser", "licenseType": "None"},
			"agentPoolProfiles": []any{object{"name": "sys"}, object{"name": "win"}},
		}},
		cluster + "/agentPools/sys": {
			"id": "/sys", "name": "sys", "type": "T",
			"properties": object{"type": "VMSS", "orchestratorVersion": "1.35"},
		},
		cluster + "/agentPools/win": {
			"id": "/win", "name": "win",
			"properties": object{"orchestratorVersion": "1.35"},
		},
		strings.TrimSuffix(cluster, "c") + "linux": {"name": "linux", "properties": object{}},
	}}
}

func (c *cloud) Put(_ context.Context, id string, body arm.Body) (arm.Body, error) {
	c.requests = append(c.requests, "PUT "+id)
	c.put = body
	answer := maps.Clone(body)
	delete(answer, "properties")
	return answer, c.refusal
}

func (c *cloud) Get(_ context.Context, id string) (arm.Body, error) {
	if body, ok := c.resources[id]; ok {
		return body, nil
	}
	return nil, &arm.Error{
		Status: 404, Code: "ResourceNotFound",
		Message: "The Resource '" + id[strings.LastIndex(id, "/")+1:] + "' was not found.",
	}
}

func (c *cloud) Delete(_ context.Context, id string) error {
	c.requests = append(c.requests, "DELETE "+id)
	return c.refusal
}

func (c *cloud) Post(context.Context, string, string, arm.Body) (arm.Body, error) {
	return nil, nil
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("from a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const (
		update = "aks update --resource-group rg --name c "
		only   = "the simulated az has only aks show, aks update, aks nodepool delete, aks nodepool list, aks " +
			"nodepool show, aks nodepool upgrade, resource delete"
		noTTY   = "Unable to prompt for confirmation as no tty available. Use --yes."
		upgrade = "aks nodepool upgrade --resource-group rg --cluster-name c --name win --kubernetes-version "
	)
	profile := func(change object) arm.Body {
		body := newCloud().resources[cluster]
		maps.Copy(body["properties"].(object)["windowsProfile"].(object), change)
		return body
	}
	for _, x := range []struct {
		line, stdin string
		refusal     error
		status      int
		stderr      string
		stdout      string
		requests    []string
		put         arm.Body
	}{
		{
			line:     update + "--windows-admin-password @- --disable-ahub --disable-windows-gmsa --yes --output none",
			stdin:    "Pass-word-1234",
			requests: []string{"PUT " + cluster},
			put: profile(object{
				"adminPassword": "Pass-word-1234", "licenseType": "None",
				"gmsaProfile": object{"enabled": false},
			}),
		},
		{
			line: update + "--windows-admin-password=@" + file +
				" --enable-ahub --enable-windows-gmsa --gmsa-dns-server 10.0.0.4 --gmsa-root-domain-name " +
				"corp.example -o none",
			requests: []string{"PUT " + cluster}, put: profile(object{
				"adminPassword": "from a file", "licenseType": "Windows_Server",
				"gmsaProfile": object{"enabled": true, "dnsServer": "10.0.0.4", "rootDomainName": "corp.example"},
			}),
		},
		{
			line: "aks update -g rg -n c --windows-admin-password given -y",
			stdout: "{\n  \"id\": \"" + cluster +
				"\",\n  \"location\": \"westeurope\",\n  \"name\": \"c\",\n  \"resourceGroup\": \"rg\"\n}\n",
			requests: []string{"PUT " + cluster}, put: profile(object{"adminPassword": "given"}),
		},
		{
			line: update + "--enable-windows-gmsa --yes -o none", requests: []string{"PUT " + cluster},
			put: profile(object{"gmsaProfile": object{"enabled": true}}),
		},
		{line: update + "--enable-windows-gmsa", status: 1, stderr: noTTY},
		{line: update, status: 1, stderr: noTTY},
		{line: update + "--yes -o none", requests: []string{"PUT " + cluster}, put: profile(nil)},
		{
			line: update + "--enable-ahub --disable-ahub", status: 1,
			stderr: `Cannot specify "--enable-ahub" and "--disable-ahub" at the same time`,
		},
		{
			line: update + "--enable-windows-gmsa --disable-windows-gmsa", status: 1,
			stderr: "You should not set --disable-windows-gmsa with setting --enable-windows-gmsa.",
		},
		{
			// azure-cli, acs/managed_cluster_decorator.py.
			line: update + "--disable-windows-gmsa --gmsa-root-domain-name a", status: 1,
			stderr: "You should not set --gmsa-dns-server nor --gmsa-root-domain-name when setting " +
				"--disable-windows-gmsa.",
		},
		{
			line: update + "--gmsa-dns-server a", status: 1,
			stderr: "You only can set --gmsa-dns-server and --gmsa-root-domain-name " +
				"when setting --enable-windows-gmsa.",
		},
		{
			line: update + "--enable-windows-gmsa --gmsa-dns-server a", status: 1,
			stderr: "You must set or not set --gmsa-dns-server and --gmsa-root-domain-name at the same time.",
		},
		{
			line: "aks update -g rg -n linux --enable-ahub", status: 1,
			stderr: "Encounter an unexpected error while getting windows profile from the cluster in the process of " +
				"update.",
		},
		{
			line: update + "--windows-admin-password short", status: 1,
			refusal:  &arm.Error{Status: 400, Code: "InvalidParameter", Message: "too short"},
			stderr:   "(InvalidParameter) too short\nCode: InvalidParameter\nMessage: too short",
			requests: []string{"PUT " + cluster}, put: profile(object{"adminPassword": "short"}),
		},
		{
			line: "aks update -g rg -n d --enable-ahub", status: 3,
			stderr: "(ResourceNotFound) The Resource 'd' was not found.\nCode: ResourceNotFound\nMessage: The " +
				"Resource 'd' was not found.",
		},
		{
			line: update + "--windows-admin-password @/none", status: 1,
			stderr: "read the value @/none: open /none: no such file or directory",
		},

		{
			line: upgrade + "1.36 --yes --output none", requests: []string{"PUT " + cluster + "/agentPools/win"},
			put: arm.Body{"id": "/win", "name": "win", "properties": object{"orchestratorVersion": "1.36"}},
		},
		{line: upgrade + "1.35", status: 1, stderr: noTTY},
		{
			line: upgrade + "1.35 -y", requests: []string{"PUT " + cluster + "/agentPools/win"},
			stdout: "{\n  \"id\": \"/win\",\n  \"name\": \"win\",\n  \"resourceGroup\": \"rg\"\n}\n",
			put:    arm.Body{"id": "/win", "name": "win", "properties": object{"orchestratorVersion": "1.35"}},
		},
		{
			line: "aks nodepool upgrade -g rg --cluster-name c -n none -k 1.36", status: 3,
			stderr: "(ResourceNotFound) The Resource 'none' was not found.\nCode: ResourceNotFound\nMessage: The " +
				"Resource 'none' was not found.",
		},
		{
			line:     "aks nodepool delete --resource-group rg --cluster-name c --name sys",
			requests: []string{"DELETE " + cluster + "/agentPools/sys"},
		},
		{
			// azure-cli, acs/custom.py, compares without case.
			line:     "aks nodepool delete -g rg --cluster-name c -n SYS",
			requests: []string{"DELETE " + cluster + "/agentPools/SYS"},
		},
		{
			line: "aks nodepool delete -g rg --cluster-name c -n none", status: 1,
			stderr: "Node pool none doesnt exist, use 'aks nodepool list' to get current node pool list",
		},
		{
			line: "aks nodepool show -g rg --cluster-name c -n sys",
			stdout: "{\n  \"id\": \"/sys\",\n  \"name\": \"sys\",\n  \"orchestratorVersion\": \"1.35\",\n  " +
				"\"resourceGroup\": \"rg\",\n  \"type\": \"T\",\n  \"typePropertiesType\": \"VMSS\"\n}\n",
		},
		{
			line: "aks nodepool list -g rg --cluster-name c",
			stdout: "[\n  {\n    \"id\": \"/sys\",\n    \"name\": \"sys\",\n    \"orchestratorVersion\": \"1.35\",\n " +
				"   \"resourceGroup\": \"rg\",\n    \"type\": \"T\",\n    \"typePropertiesType\": \"VMSS\"\n  },\n" +
				"  {\n    \"id\": \"/win\",\n    \"name\": \"win\",\n    \"orchestratorVersion\": \"1.35\",\n    " +
				"\"resourceGroup\": \"rg\"\n  }\n]\n",
		},
		{line: "aks show -g rg -n linux", stdout: "{\n  \"name\": \"linux\",\n  \"resourceGroup\": \"rg\"\n}\n"},
		{line: "aks show -g rg -n linux --output none"},
		{line: "resource delete --ids /a/b --output none", requests: []string{"DELETE /a/b"}},
		{line: "resource delete --ids /a/b /c/d", requests: []string{"DELETE /a/b", "DELETE /c/d"}},
		{
			line:    "resource delete --ids /a/b",
			refusal: &arm.Error{Status: 404, Code: "ResourceGroupNotFound", Message: "m"}, status: 3,
			stderr:   "(ResourceGroupNotFound) m\nCode: ResourceGroupNotFound\nMessage: m",
			requests: []string{"DELETE /a/b"},
		},

		{line: "", status: 2, stderr: "'' is misspelled or not recognized by the system: " + only},
		{line: "vm list", status: 2, stderr: "'vm list' is misspelled or not recognized by the system: " + only},
		{line: "aks", status: 2, stderr: "'aks' is misspelled or not recognized by the system: " + only},
		{line: "aks show c", status: 2, stderr: "unrecognized arguments: c"},
		{line: "aks show -g rg -n c --verbose d", status: 2, stderr: "unrecognized arguments: --verbose d"},
		{line: "aks show", status: 2, stderr: "the following arguments are required: --resource-group/-g, --name/-n"},
		{line: "aks show -g rg -n", status: 2, stderr: "argument --name/-n: expected one argument"},
		{
			line: "resource delete --ids --output none", status: 2,
			stderr: "argument --ids: expected at least one argument",
		},
		{line: "aks update -g rg -n c --yes=1", status: 2, stderr: "argument --yes/-y: ignored explicit argument '1'"},
		{
			line: "aks show -g rg -n c -o table", status: 2,
			stderr: "argument --output/-o: 'table' is not a valid value for '--output'. Allowed values: json, none.",
		},
		{
			line: "aks nodepool delete -g rg --cluster-name c -n sys --yes", status: 2,
			stderr: "unrecognized arguments: --yes",
		},
	} {
		t.Run(x.line, func(t *testing.T) {
			t.Parallel()
			c := newCloud()
			c.refusal = x.refusal
			var stdout, stderr bytes.Buffer
			status := azcli.Run(t.Context(), strings.Fields(x.line), azcli.World{
				Open:  func() (*armclient.Client, error) { return armclient.New(c, 0), nil },
				Stdin: strings.NewReader(x.stdin), Stdout: &stdout, Stderr: &stderr,
			})
			if status != x.status {
				t.Errorf("the exit status is %d, want %d", status, x.status)
			}
			want := ""
			if x.stderr != "" {
				want = "ERROR: " + x.stderr + "\n"
			}
			if diff := cmp.Diff(want, stderr.String()); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.stdout, stdout.String()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.requests, c.requests); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.put, c.put); diff != "" {
				t.Errorf("put (-want +got):\n%s", diff)
			}
		})
	}
}
