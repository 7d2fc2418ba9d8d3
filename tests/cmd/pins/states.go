package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// ways are the ways of the stack's program, with the number of workloads: 40 with each matching.
var ways = []struct {
	name  string
	count int
}{{"class", 14}, {"selector", 13}, {"place", 13}}

// recordStates deploys the stacks with the components of the checkout, and writes their states.
func recordStates(ctx context.Context, checkout string) (err error) {
	program := filepath.Join(checkout, "tests", "pins", "testdata", "stack")
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(checkout, "tests", "pins"))) }()
	if err := os.CopyFS(program, os.DirFS(filepath.Join(data, "stack"))); err != nil {
		return err
	}
	cache, err := tools.New(os.Stdout)
	if err != nil {
		return err
	}
	r, end, err := newRecorder(ctx, cache, "lab-given", program)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	content, err := os.ReadFile(filepath.Join(data, "2022.yaml"))
	if err != nil {
		return err
	}
	var pools topology.Topology
	if err := yaml.UnmarshalStrict(content, &pools); err != nil {
		return err
	}
	if err := register(ctx, r.lab, cluster.Cluster{Dir: filepath.Join(r.temp, "lab", "cluster")}, pools); err != nil {
		return err
	}
	for _, matching := range matchings {
		for _, way := range ways {
			if err := r.record(ctx, matching, way.name, way.count, content); err != nil {
				return err
			}
		}
	}
	return nil
}

// register gives the lab the nodes of a topology.
func register(ctx context.Context, l *lab.Lab, c cluster.Cluster, pools topology.Topology) error {
	client, err := l.Client()
	if err != nil {
		return err
	}
	version, err := cluster.Version(client)
	if err != nil {
		return err
	}
	nodes := cluster.Nodes(pools.WithDefaults(), version)
	if err := cluster.Register(ctx, client, nodes); err != nil {
		return err
	}
	return c.WaitReady(ctx, client, nodes)
}

// record deploys a stack, writes its state, and destroys it.
func (r recorder) record(ctx context.Context, matching, way string, count int, pools []byte) error {
	name := matching + "-" + way
	var cluster map[string]any
	if err := yaml.Unmarshal(pools, &cluster); err != nil {
		return err
	}
	if matching != "strict" { // strict is the default
		cluster["matching"] = matching
	}
	config, err := yaml.Marshal(map[string]any{"config": map[string]any{
		"pins:way": way, "pins:count": count, "pins:topology": maps.Clone(cluster),
	}})
	if err != nil {
		return err
	}
	file := filepath.Join(r.temp, "Pulumi."+name+".yaml")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		return err
	}
	stack, err := r.lab.Project(ctx, r.program, name, file)
	if err != nil {
		return err
	}
	if err := stack.Up(ctx, "--skip-preview"); err != nil {
		return err
	}
	state, err := r.export(ctx, stack)
	if err != nil {
		return err
	}
	if state, err = reduced(state); err != nil {
		return fmt.Errorf("the state of %s: %w", name, err)
	}
	if err := os.WriteFile(filepath.Join(data, "states", name+".json"), state, 0o644); err != nil {
		return err
	}
	return stack.Destroy(ctx, "--skip-preview")
}
