package azurenative

import (
	"context"
	"fmt"
	"maps"

	p "github.com/pulumi/pulumi-go-provider"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

// function is a function of azure-native about a resource of a type.
type function struct {
	of string
	// action is the action of a POST, empty for a GET.
	action string
}

var functions = map[string]function{
	"azure-native:compute:getVirtualMachineRunCommandByVirtualMachine": {
		of: "azure-native:compute:VirtualMachineRunCommandByVirtualMachine",
	},
	"azure-native:containerservice:getAgentPool": {of: "azure-native:containerservice:AgentPool"},
	"azure-native:containerservice:getManagedCluster": {
		of: "azure-native:containerservice:ManagedCluster",
	},
	"azure-native:containerservice:listManagedClusterAdminCredentials": {
		"azure-native:containerservice:ManagedCluster",
		"listClusterAdminCredential",
	},
	"azure-native:containerservice:listManagedClusterUserCredentials": {
		"azure-native:containerservice:ManagedCluster",
		"listClusterUserCredential",
	},
	"azure-native:resources:getResourceGroup": {of: "azure-native:resources:ResourceGroup"},
}

func (s *server) invoke(ctx context.Context, r p.InvokeRequest) (p.InvokeResponse, error) {
	if r.Token == "azure-native:authorization:getClientConfig" {
		return p.InvokeResponse{Return: valueMap(map[string]any{
			"clientId": armclient.ClientID, "objectId": armclient.ObjectID,
			"subscriptionId": armclient.SubscriptionID, "tenantId": armclient.TenantID,
		})}, nil
	}
	f, ok := functions[string(r.Token)]
	if !ok {
		return p.InvokeResponse{}, fmt.Errorf( //nolint:staticcheck // azure-native's words
			"Invoke type %s not found: the simulated azure-native has only some", r.Token,
		)
	}
	t := table[f.of]
	args := plainMap(r.Args)
	id, err := t.id(args)
	if err != nil {
		return p.InvokeResponse{}, err
	}
	client, err := s.open()
	if err != nil {
		return p.InvokeResponse{}, err
	}
	ctx, cancel := s.request(ctx)
	defer cancel()
	if f.action != "" {
		// The other arguments are a query: the format of a kubeconfig, for example.
		answer, err := client.Post(ctx, id, f.action, map[string]any{})
		if err != nil {
			return p.InvokeResponse{}, fmt.Errorf("request failed %s/%s: %w", id, f.action, failure(id, err))
		}
		return p.InvokeResponse{Return: valueMap(answer)}, nil
	}
	body, err := client.Get(ctx, id)
	if err != nil {
		return p.InvokeResponse{}, fmt.Errorf("request failed %s: %w", id, failure(id, err))
	}
	outputs := maps.Clone(t.outputs(body))
	outputs["id"] = body["id"]
	return p.InvokeResponse{Return: valueMap(outputs)}, nil
}
