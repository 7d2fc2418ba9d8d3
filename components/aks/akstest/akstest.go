// Package akstest stands in for Azure in unit tests of programs that make clusters
// with package aks:
//
//	graph, err := mocktest.Run(program, mocktest.Preview(), akstest.Azure())
//
// The mocks of Pulumi's SDK answer the same with [mocktest.Mocks]:
//
//	mocks := mocktest.Mocks(akstest.Azure())
//	err := pulumi.RunErr(program, pulumi.WithMocks("project", "stack", mocks))
package akstest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// Kubeconfig is the one that users of every cluster get, and AdminKubeconfig the one of its local
// administrator.
const (
	Kubeconfig      = "apiVersion: v1\nkind: Config\n"
	AdminKubeconfig = Kubeconfig + "current-context: admin\n"
)

// Cluster is a cluster that is in Azure already.
type Cluster struct {
	// Name is its name in Azure.
	Name string
	// Tags are its tags. Those that a cluster of package aks has are in its graph.
	Tags map[string]string
	// Versions are those of Kubernetes of its pools, by their names in Azure.
	Versions map[string]string
	// WindowsProfile is its Windows profile, with the names that Azure has for it.
	WindowsProfile map[string]any
	// Properties are all others that it has, with the names that Azure has for them. Its pools, in
	// agentPoolProfiles, take the place of Versions.
	Properties map[string]any
}

// Made are the clusters that an earlier run has made, as they are in Azure then: for tests of a change.
//
//	earlier := mocktest.MustRun(t, program, akstest.Azure())
//	graph := mocktest.MustRun(t, changed, mocktest.Preview(), mocktest.After(earlier),
//		akstest.Azure(akstest.Made(earlier)...))
func Made(earlier *mocktest.Graph) []Cluster {
	var clusters []Cluster
	for _, r := range earlier.ByType(clusterType) {
		in := r.Plain()
		c := Cluster{Name: text(in["resourceName"]), Tags: map[string]string{}, Versions: map[string]string{}}
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
			delete(c.WindowsProfile, "adminPassword") // Azure tells nobody.
		}
		clusters = append(clusters, c)
	}
	return clusters
}

// text is a string; "" for what is something else.
func text(v any) string {
	s, _ := v.(string)
	return s
}

// The types whose resources are in Azure.
const (
	clusterType = "azure-native:containerservice:ManagedCluster"
	poolType    = "azure-native:containerservice:AgentPool"
)

// Azure answers as azure-native does for resource groups, clusters and pools. There
// are the given clusters, and no others. It uses [mocktest.Outputs] and
// [mocktest.Calls], so that another of these stands in its place.
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
		for pool, version := range c.Versions {
			pools = append(pools, map[string]any{"name": pool, "currentOrchestratorVersion": version})
		}
		tags := map[string]any{}
		for key, value := range c.Tags {
			tags[key] = value
		}
		found := map[string]any{
			"id":   "/subscriptions/s/resourcegroups/g/providers/Microsoft.ContainerService/managedClusters/" + c.Name,
			"name": c.Name, "tags": tags, "agentPoolProfiles": pools,
		}
		maps.Copy(found, c.Properties)
		if c.WindowsProfile != nil {
			found["windowsProfile"] = c.WindowsProfile
		}
		return properties(found), nil
	}
	return nil, errors.New(`Code="ResourceNotFound" Message="there is no such cluster"`)
}

// Outputs are what azure-native adds to the inputs of a resource: for tests that use
// [mocktest.Outputs] themselves.
func Outputs(r mocktest.Resource) resource.PropertyMap {
	in := r.Plain()
	switch r.Type {
	case clusterType:
		return properties(map[string]any{
			"name":              in["resourceName"],
			"nodeResourceGroup": fmt.Sprintf("MC_%v", in["resourceName"]),
			"oidcIssuerProfile": map[string]any{
				"issuerURL": fmt.Sprintf("https://oidc.example.com/%v", in["resourceName"]),
			},
		})
	case poolType:
		return properties(map[string]any{"name": in["agentPoolName"]})
	case "azure-native:resources:ResourceGroup":
		return properties(map[string]any{"name": r.Name + "1a2b3c4d"})
	default:
		return nil
	}
}

func properties(m map[string]any) resource.PropertyMap { return resource.NewPropertyMapFromMap(m) }
