package lab

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/clustermap"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// MapFile returns the path of the map of the cluster that [Lab.Up] draws at the end.
func (l *Lab) MapFile() string { return filepath.Join(l.dir, "map.html") }

// mapPaths are the lists of the API server that a map needs.
var mapPaths = []string{
	"/api/v1/nodes", "/api/v1/pods", "/apis/apps/v1/deployments", "/apis/apps/v1/replicasets",
	"/apis/apps/v1/statefulsets", "/apis/apps/v1/daemonsets", "/apis/batch/v1/jobs", "/apis/batch/v1/cronjobs",
	"/apis/node.k8s.io/v1/runtimeclasses",
}

// drawMap draws the cluster as it is now.
func (l *Lab) drawMap(ctx context.Context) error {
	client, err := l.Client()
	if err != nil {
		return err
	}
	source := clustermap.Source{Title: l.stack(), From: "the lab in " + l.dir, Live: true}
	for _, path := range mapPaths {
		get := client.Discovery().RESTClient().Get().AbsPath(path).SetHeader("Accept", "application/json")
		text, err := get.DoRaw(ctx)
		if err != nil {
			return noAnswer(err)
		}
		read, problems := sources.ReadJSON(text, path)
		if len(problems) > 0 {
			return errors.Join(problems...)
		}
		source.Objects = append(source.Objects, read.Objects...)
	}
	var problems []error
	if source.Nodes, problems = sources.Nodes(source.Objects); len(problems) > 0 {
		return errors.Join(problems...)
	}
	if source.Options.Topology, err = l.mapTopology(source); err != nil {
		return err
	}
	file, err := os.Create(l.MapFile())
	if err != nil {
		return err
	}
	if err := errors.Join(clustermap.New(source).HTML(file), file.Close()); err != nil {
		return err
	}
	l.progress("map", "%s", l.MapFile())
	return nil
}

// mapTopology returns the topology of the cluster. If the stack does not create its cluster, this is the topology of
// the configuration, because the nodes have no label with the name of their pool. Otherwise it is read from the nodes.
func (l *Lab) mapTopology(source clustermap.Source) (topology.Topology, error) {
	config, err := deploy.ReadStack(l.Stacks, l.stack())
	if err != nil || !config.InAzure() {
		return config.Topology, err
	}
	described, _, err := sources.Source{}.Describe(source.Nodes)
	return described, err
}
