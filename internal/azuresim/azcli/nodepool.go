package azcli

import (
	"context"
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
)

func poolID(g flagValues) string { return clusterID(g, clusterName) + "/agentPools/" + g.one(name) }

func showPool(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	body, err := client.Get(ctx, poolID(g))
	return shown(body, g), err
}

func listPools(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	pools, err := poolNames(ctx, client, g)
	if err != nil {
		return nil, err
	}
	all := []any{}
	for _, pool := range pools {
		body, err := client.Get(ctx, clusterID(g, clusterName)+"/agentPools/"+pool)
		if err != nil {
			return nil, err
		}
		all = append(all, shown(body, g))
	}
	return all, nil
}

func poolNames(ctx context.Context, client *armclient.Client, g flagValues) ([]string, error) {
	body, err := client.Get(ctx, clusterID(g, clusterName))
	if err != nil {
		return nil, err
	}
	properties, _ := body["properties"].(map[string]any)
	profiles, _ := properties["agentPoolProfiles"].([]any)
	var all []string
	for _, p := range profiles {
		if profile, ok := p.(map[string]any); ok {
			if name, ok := profile["name"].(string); ok {
				all = append(all, name)
			}
		}
	}
	return all, nil
}

// upgradePool gets the pool, changes its version, and puts it back.
func upgradePool(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	body, err := client.Get(ctx, poolID(g))
	if err != nil {
		return nil, err
	}
	properties, _ := body["properties"].(map[string]any)
	if properties["orchestratorVersion"] == g.one(version) && !g.has(yes) {
		// az prompts whether to set the version that the pool already has.
		return nil, errNoTerminal
	}
	properties["orchestratorVersion"] = g.one(version)
	answer, err := client.Put(ctx, poolID(g), body)
	return shown(answer, g), err
}

func deletePool(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	pools, err := poolNames(ctx, client, g)
	if err != nil {
		return nil, err
	}
	for _, pool := range pools {
		if strings.EqualFold(pool, g.one(name)) {
			return nil, client.Delete(ctx, poolID(g))
		}
	}
	return nil, fmt.Errorf( //nolint:staticcheck // az's words
		"Node pool %s doesnt exist, use 'aks nodepool list' to get current node pool list", g.one(name),
	)
}

// deleteResources sends one request for each resource. Deleting a missing resource succeeds in Azure.
func deleteResources(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	for _, id := range g[ids.name] {
		if err := client.Delete(ctx, id); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
