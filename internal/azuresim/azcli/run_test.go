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
	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
)

type object = map[string]any

const cluster = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg" +
	"/providers/Microsoft.ContainerService/managedClusters/c"

const features = "/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Features/providers"

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
		features + "/Microsoft.ContainerService/features/AgentPoolVMSSResize": {
			"properties": object{"state": "NotRegistered"},
		},
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

func (c *cloud) Post(_ context.Context, id, action string, _ arm.Body) (arm.Body, error) {
	c.requests = append(c.requests, "POST "+id+"/"+action)
	return arm.Body{"properties": object{"state": "Registering"}}, c.refusal
}

// command is what a command line does. The line is the name of the case.
type command struct {
	Stdin string
	// Refusal is Azure's answer to changes.
	Refusal *arm.Error
	Status  int
	Stdout  string
	Stderr  string
	// Requests are the changes in Azure. Put is the body of the last one, or Profile is the change of the Windows
	// profile in the cluster's body.
	Requests     []string
	Put, Profile arm.Body
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("from a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, x := range casetest.Cases[command](t, "testdata/commands", "$cluster", cluster, "$file", file,
		"$update", "aks update --resource-group rg --name c",
		"$upgrade", "aks nodepool upgrade --resource-group rg --cluster-name c --name win --kubernetes-version",
		"$change", "aks nodepool update --resource-group rg --cluster-name c --name win",
		"$features", features,
		"$only", "the simulated az has only aks show, aks update, aks nodepool delete, aks nodepool list, aks "+
			"nodepool show, aks nodepool update, aks nodepool upgrade, feature register, feature show, "+
			"resource delete") {
		_, line, _ := strings.Cut(name, ": ")
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			c, put := newCloud(), x.Put
			if x.Refusal != nil {
				c.refusal = x.Refusal
			}
			if x.Profile != nil {
				put = newCloud().resources[cluster]
				maps.Copy(put["properties"].(object)["windowsProfile"].(object), x.Profile)
			}
			var stdout, stderr bytes.Buffer
			status := azcli.Run(t.Context(), strings.Fields(line), azcli.World{
				Open:  func() (*armclient.Client, error) { return armclient.New(c, 0), nil },
				Stdin: strings.NewReader(x.Stdin), Stdout: &stdout, Stderr: &stderr,
			})
			if status != x.Status {
				t.Errorf("the exit status is %d, want %d", status, x.Status)
			}
			want := ""
			if x.Stderr != "" {
				want = "ERROR: " + x.Stderr + "\n"
			}
			if diff := cmp.Diff(want, stderr.String()); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.Stdout, stdout.String()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(x.Requests, c.requests); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(put, c.put); diff != "" {
				t.Errorf("put (-want +got):\n%s", diff)
			}
		})
	}
}
