package azcli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/core/facts"
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

// osSKUs returns the values that az accepts in an update, with the extension aks-preview: those of Linux, and two of
// Windows (https://github.com/Azure/azure-cli-extensions/pull/10255).
func osSKUs() (names []string) {
	for _, sku := range facts.SKUs {
		if !sku.Windows || sku.Name == "Windows2022" || sku.Name == "Windows2025" {
			names = append(names, sku.Name)
		}
	}
	return names
}

// updatePool gets the pool, changes it, and puts it back, with the API of the extension aks-preview.
func updatePool(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	if g.has(enableFIPS) && g.has(disableFIPS) {
		return nil, errors.New( //nolint:staticcheck // az's words
			`Cannot specify "--enable-fips-image" and "--disable-fips-image" at the same time`,
		)
	}
	change := map[string]any{}
	settings := map[string]any{}
	for _, p := range []struct {
		flag flag
		into map[string]any
		name string
	}{
		{size, change, "vmSize"},
		{osSKU, change, "osSKU"},
		{mode, change, "mode"},
		{maxSurge, settings, "maxSurge"},
		{maxUnavailable, settings, "maxUnavailable"},
		{undrainable, settings, "undrainableNodeBehavior"},
	} {
		if g.has(p.flag) {
			p.into[p.name] = g.one(p.flag)
		}
	}
	for _, p := range []struct {
		flag flag
		name string
	}{{drainTimeout, "drainTimeoutInMinutes"}, {soakDuration, "nodeSoakDurationInMinutes"}} {
		if !g.has(p.flag) {
			continue
		}
		minutes, err := strconv.Atoi(g.one(p.flag))
		if err != nil {
			return nil, usage("argument %s: invalid int value: '%s'", p.flag, g.one(p.flag))
		}
		settings[p.name] = float64(minutes)
	}
	if g.has(enableFIPS) || g.has(disableFIPS) {
		change["enableFIPS"] = g.has(enableFIPS)
	}
	if len(change)+len(settings) == 0 && !g.has(yes) {
		// az prompts whether to reconcile the pool to its settings.
		return nil, errNoTerminal
	}
	body, err := client.Get(ctx, poolID(g))
	if err != nil {
		return nil, err
	}
	properties, _ := body["properties"].(map[string]any)
	maps.Copy(properties, change)
	if len(settings) > 0 {
		existing, _ := properties["upgradeSettings"].(map[string]any)
		merged := maps.Clone(existing)
		if merged == nil {
			merged = map[string]any{}
		}
		maps.Copy(merged, settings)
		properties["upgradeSettings"] = merged
	}
	answer, err := client.Put(ctx, poolID(g)+"?api-version="+arm.ResizeAPI, body)
	return shown(answer, g), err
}

func deletePool(ctx context.Context, client *armclient.Client, g flagValues) (any, error) {
	pools, err := poolNames(ctx, client, g)
	if err != nil {
		return nil, err
	}
	for _, pool := range pools {
		if strings.EqualFold(pool, g.one(name)) {
			id := poolID(g)
			if g.has(ignorePDB) {
				id += "?ignore-pod-disruption-budget=true"
			}
			return nil, client.Delete(ctx, id)
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
