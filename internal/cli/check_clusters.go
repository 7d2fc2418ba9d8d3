package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// checkedCluster is a cluster that files are checked for: the one of an environment of the configuration, or the one of all
// other files.
type checkedCluster struct {
	// name is the name of the environment, "" for the other files.
	name    string
	options preflight.Options
	// topology and plan are where the topology and the planned one are written.
	topology, plan placeOfTopology

	checker *preflight.Checker
	// alone is without other objects, and all has those of the files.
	alone, all *preflight.Collection
	needs      preflight.Needs
	files      int
	// past is nil if everything counts as changed. touched means that a change touches all environments.
	past    *past
	touched bool
}

// readClusters reads the topologies of all clusters. Those of flags are for all of them.
func (c *checking) readClusters(ctx context.Context, in *input, flags checkFlags, stderr io.Writer) (errs []error) {
	read := func(name string, topology, to any, topologyAt, toAt string) {
		one := &checkedCluster{name: name, options: c.options}
		current, planned := named{"--topology", flags.topology, topology}, named{"--to", flags.to, to}
		one.topology, one.plan = in.placeOf(current, topologyAt, c.config), in.placeOf(planned, toAt, c.config)
		t, _, err := in.topologyOf(ctx, current, c.config, stderr)
		plan, _, wrong := in.topologyOf(ctx, planned, c.config, stderr)
		errs = append(errs, err, wrong)
		one.options.Topology = t
		if err == nil { // without the topology, there is nothing to compare the plan with
			one.options.To = plan
		}
		errs = append(errs, wrongOptions(one.options)...)
		c.clusters = append(c.clusters, one)
	}
	read("", c.config.Topology, c.config.To, "topology.", "to.")
	for i, e := range c.config.Environments {
		at := fmt.Sprintf("environments[%d].", i)
		topology, to, topologyAt, toAt := e.Topology, e.To, at+"topology.", at+"to."
		if topology == nil {
			topology, topologyAt = c.config.Topology, "topology."
			if to == nil {
				to, toAt = c.config.To, "to."
			}
		}
		read(e.Name, topology, to, topologyAt, toAt)
	}
	return errs
}

// looksAt returns a look at each file for each of its clusters, and counts the files of each.
func (c *checking) looksAt(in *input, files []string) []look {
	looks := make([]look, 0, len(files))
	for _, path := range files {
		var of []string
		if in.environmentsOf != nil {
			of = in.environmentsOf(shown(path))
		}
		if len(of) == 0 {
			of = []string{""}
		}
		for i, name := range of {
			at := c.cluster(name)
			at.files++
			l := look{path: path, cluster: at, again: i > 0}
			if b := in.built(path); b != nil {
				l.reads = b.Files
			}
			looks = append(looks, l)
		}
	}
	return looks
}

func (c *checking) cluster(name string) *checkedCluster {
	for _, one := range c.clusters {
		if one.name == name {
			return one
		}
	}
	return c.clusters[0]
}

// used returns the clusters that have files, or the one without a name.
func (c *checking) used() (used []*checkedCluster) {
	for i, one := range c.clusters {
		if one.files > 0 || i == 0 && len(c.clusters) == 1 {
			used = append(used, one)
		}
	}
	return used
}

// ofCluster returns the findings about the topology of a cluster, and about facts that its files use.
func (c *checking) ofCluster(one *checkedCluster, policy *report.Policy) []report.Finding {
	judge := func(about report.Object, found []preflight.Finding) []report.Finding {
		return judgedTopology(about, found, one.topology, one.plan, c.config.Severities, policy)
	}
	found := append(
		judge(report.TopologyOf(""), append(one.checker.CheckCluster(), one.all.CheckClasses()...)),
		judge(report.Facts(), one.checker.CheckFacts(one.checker.UsedFacts(one.needs)))...,
	)
	if one.name != "" {
		for i := range found {
			found[i].Environments, found[i].InSome = []string{one.name}, true
		}
	}
	return found
}

// describe returns how many files each environment has, if there are any in the configuration.
func (c *checking) describe() string {
	if len(c.clusters) < 2 {
		return ""
	}
	var text strings.Builder
	for _, one := range c.clusters[1:] {
		text.WriteString(one.name + " " + fielderrors.Count(one.files, "file") + ", ")
	}
	return "environments: " + text.String() + "none " + fielderrors.Count(c.clusters[0].files, "file") + "\n"
}
