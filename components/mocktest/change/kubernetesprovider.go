package change

import (
	"reflect"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"gopkg.in/yaml.v3"
)

// kubernetesProvider is pulumi-kubernetes as a resource: another cluster replaces it, and all resources that were
// created with it (DiffConfig in
// https://github.com/pulumi/pulumi-kubernetes/blob/master/provider/pkg/provider/provider.go).
type kubernetesProvider struct{}

// naming are the inputs that select the cluster.
var naming = []string{"kubeconfig", "context", "cluster"}

func (kubernetesProvider) compare(q Question) Answer {
	found := Differences(q.Before, q.After)
	before, after := q.Before.Get("clusterIdentifier"), q.After.Get("clusterIdentifier")
	if !after.IsNull() && stripped(after).Equals(stripped(before)) {
		return Answer{Differences: found} // The program declares it as the same cluster.
	}
	moved := movesCluster(q.Before, q.After)
	for i, d := range found {
		name, _ := d.Path[0].(string)
		switch {
		case name == "clusterIdentifier" && d.Kind == Changed, name == "renderYamlToDirectory",
			slices.Contains(naming, name) && (moved || d.Before.IsComputed() || d.After.IsComputed()):
			found[i].Why = why("kubernetes", pattern(resource.PropertyPath{name}))
		}
	}
	return Answer{Differences: found}
}

// movesCluster reports whether the active clusters of the two kubeconfigs differ, if both name one.
func movesCluster(before, after property.Map) bool {
	a, b := activeCluster(before), activeCluster(after)
	return a != nil && b != nil && !reflect.DeepEqual(a, b)
}

// activeCluster returns the settings of the kubeconfig's active cluster. It returns nil if there are none.
func activeCluster(inputs property.Map) any {
	var config struct {
		CurrentContext string `yaml:"current-context"`
		Contexts       []struct {
			Name    string
			Context struct{ Cluster string }
		}
		Clusters []struct {
			Name    string
			Cluster map[string]any
		}
	}
	if yaml.Unmarshal([]byte(text(inputs, "kubeconfig")), &config) != nil {
		return nil // It is the name of a file.
	}
	context := config.CurrentContext
	if explicit := text(inputs, "context"); explicit != "" {
		context = explicit
	}
	for _, c := range config.Contexts {
		if c.Name != context {
			continue
		}
		cluster := c.Context.Cluster
		if explicit := text(inputs, "cluster"); explicit != "" {
			cluster = explicit
		}
		for _, c := range config.Clusters {
			if c.Name == cluster {
				return c.Cluster
			}
		}
	}
	return nil
}
