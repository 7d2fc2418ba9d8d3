// Package akstest stands in for Azure in unit tests of programs that create clusters with package aks:
//
//	graph, err := mocktest.Run(program, mocktest.Preview(), akstest.Azure())
//
// The mocks of Pulumi's SDK give the same answers with [mocktest.Mocks]:
//
//	mocks := mocktest.Mocks(akstest.Azure())
//	err := pulumi.RunErr(program, pulumi.WithMocks("project", "stack", mocks))
package akstest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// Kubeconfig is the kubeconfig that users of every cluster get, and AdminKubeconfig the kubeconfig of its local
// administrator.
const (
	Kubeconfig      = "apiVersion: v1\nkind: Config\n"
	AdminKubeconfig = Kubeconfig + "current-context: admin\n"
)

// Cluster is an existing cluster in Azure.
type Cluster struct {
	// Name is its name in Azure.
	Name string
	// Tags are its tags. The tags of a cluster of package aks are in its graph.
	Tags map[string]string
	// Versions are the Kubernetes versions of its pools, by their names in Azure.
	Versions map[string]string
	// WindowsProfile is its Windows profile, with Azure's property names.
	WindowsProfile map[string]any
	// Properties are all its other properties, with Azure's names. Pools in agentPoolProfiles replace
	// Versions. By default the cluster has a node resource group and identities of its own, as Azure decides on them.
	Properties map[string]any
}

// Made returns the clusters that an earlier run created, as they are in Azure after it: for tests of a change.
//
//	earlier := mocktest.MustRun(t, program, akstest.Azure())
//	graph := mocktest.MustRun(t, changed, mocktest.Preview(), mocktest.After(earlier),
//		akstest.Azure(akstest.Made(earlier)...))
func Made(earlier *mocktest.Graph) []Cluster {
	var clusters []Cluster
	for _, r := range earlier.ByType(clusterType) {
		in := r.Plain()
		c := Cluster{
			Name: text(in["resourceName"]), Tags: map[string]string{}, Versions: map[string]string{},
			Properties: decided(in),
		}
		tags, _ := in["tags"].(map[string]any)
		for key, value := range tags {
			c.Tags[key] = text(value)
		}
		inline, _ := in["agentPoolProfiles"].([]any)
		for _, p := range inline {
			if pool, ok := p.(map[string]any); ok {
				c.Versions[text(pool["name"])] = text(pool["orchestratorVersion"])
			}
		}
		for _, p := range earlier.ByType(poolType) {
			if pool := p.Plain(); text(pool["resourceName"]) == c.Name {
				c.Versions[text(pool["agentPoolName"])] = text(pool["orchestratorVersion"])
			}
		}
		if profile, ok := in["windowsProfile"].(map[string]any); ok {
			c.WindowsProfile = maps.Clone(profile)
			delete(c.WindowsProfile, "adminPassword") // Azure does not return it.
		}
		clusters = append(clusters, c)
	}
	return clusters
}

// text returns a string; "" for a value of another type.
func text(v any) string {
	s, _ := v.(string)
	return s
}

// The types of the resources in Azure.
const (
	clusterType = "azure-native:containerservice:ManagedCluster"
	poolType    = "azure-native:containerservice:AgentPool"
)

// Azure answers as azure-native does for resource groups, clusters and pools. Only these clusters exist. It uses
// [mocktest.Outputs] and [mocktest.Calls], so another option of these kinds replaces it.
func Azure(clusters ...Cluster) mocktest.Option {
	return mocktest.All(mocktest.Outputs(Outputs),
		mocktest.Calls(func(call mocktest.Call) (resource.PropertyMap, error) {
			switch call.Token {
			case "azure-native:containerservice:listManagedClusterUserCredentials":
				return credentials("clusterUser", Kubeconfig), nil
			case "azure-native:containerservice:listManagedClusterAdminCredentials":
				return credentials("clusterAdmin", AdminKubeconfig), nil
			case "azure-native:containerservice:getManagedCluster":
				return lookUp(clusters, mocktest.Plain(call.Args)["resourceName"])
			default:
				return nil, fmt.Errorf("akstest does not answer %s", call.Token)
			}
		}))
}

func credentials(name, kubeconfig string) resource.PropertyMap {
	return properties(map[string]any{"kubeconfigs": []any{map[string]any{
		"name": name, "value": base64.StdEncoding.EncodeToString([]byte(kubeconfig)),
	}}})
}

func lookUp(clusters []Cluster, name any) (resource.PropertyMap, error) {
	for _, c := range clusters {
		if c.Name != name {
			continue
		}
		pools := []any{}
		for _, pool := range slices.Sorted(maps.Keys(c.Versions)) {
			pools = append(pools, map[string]any{"name": pool, "currentOrchestratorVersion": c.Versions[pool]})
		}
		tags := map[string]any{}
		for key, value := range c.Tags {
			tags[key] = value
		}
		found := decided(map[string]any{"resourceName": c.Name})
		maps.Copy(found, map[string]any{
			"id":   "/subscriptions/s/resourcegroups/g/providers/Microsoft.ContainerService/managedClusters/" + c.Name,
			"name": c.Name, "tags": tags, "agentPoolProfiles": pools,
		})
		maps.Copy(found, c.Properties)
		if c.WindowsProfile != nil {
			found["windowsProfile"] = c.WindowsProfile
		}
		return properties(found), nil
	}
	return nil, errors.New(`Code="ResourceNotFound" Message="there is no such cluster"`)
}

// Outputs returns the outputs that azure-native adds to the inputs of a resource: for tests that use
// [mocktest.Outputs] themselves. IDs of identities depend only on names, so they are the same in each run.
func Outputs(r mocktest.Resource) resource.PropertyMap {
	in := r.Plain()
	switch r.Type {
	case clusterType:
		outputs := decided(in)
		outputs["name"] = in["resourceName"]
		return properties(outputs)
	case poolType:
		return properties(map[string]any{"name": in["agentPoolName"]})
	case "azure-native:resources:ResourceGroup":
		return properties(map[string]any{"name": r.Name + "1a2b3c4d"})
	case "azure-native:managedidentity:UserAssignedIdentity":
		name := text(in["resourceName"])
		if name == "" {
			name = r.Name + "1a2b3c4d"
		}
		outputs := identity(r.ID)
		outputs["name"], outputs["tenantId"] = name, guid("tenant")
		return properties(outputs)
	default:
		return nil
	}
}

func properties(m map[string]any) resource.PropertyMap { return resource.NewPropertyMapFromMap(m) }
