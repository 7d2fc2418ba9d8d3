package preflight

import (
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/placement"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Check returns everything that is known to be wrong with one Kubernetes object:
// a Pod, a workload with a template of pods, a RuntimeClass, a Service, a
// HorizontalPodAutoscaler or a PersistentVolume. It knows nothing about objects of other kinds.
//
// The findings are sorted by path, and complete: silenced ones are among them.
// Whoever checks many objects makes a [Checker] with [New].
func Check(object map[string]any, options Options) []Finding {
	return New(options).Check(object)
}

// Checker checks objects with the same options. It may be used by several
// goroutines at once.
type Checker struct {
	options Options
	minor   int
	// nodes is the topology made ready, nil without one.
	nodes *placement.Nodes
	// classes are the RuntimeClasses that components/runtimeclass makes for the
	// topology.
	classes map[platform.Platform]*placement.RuntimeClass
	// sized says that of some pool it is known what its nodes have.
	sized bool
}

// New makes a Checker. What [Options.Validate] reports about the options is not
// checked again: what is wrong there counts as not known.
func New(options Options) *Checker {
	c := &Checker{options: options, minor: options.minor()}
	if len(options.Topology.Pools) > 0 {
		c.options.Topology = options.Topology.WithDefaults()
		c.nodes = placement.NewNodes(c.options.Topology, options.Matching)
		c.classes = classesOf(c.options.Topology)
		c.sized = slices.ContainsFunc(c.options.Topology.Pools, func(p topology.Pool) bool { return p.Size != "" })
	}
	return c
}

// Check is [Check] with the Checker's options.
func (c *Checker) Check(object map[string]any) []Finding {
	run := check{Checker: c, object: object}
	kind := kindOf(object)
	if kind != "" {
		run.apiVersion(kind)
	}
	switch kind {
	case "RuntimeClass":
		run.runtimeClass()
	case "Service":
		run.loadBalancer()
	case "HorizontalPodAutoscaler":
		run.autoscaler()
	case "PersistentVolume":
		run.persistentVolume()
	default:
		if p, ok := run.pods(kind); ok {
			run.pod(p)
		}
	}
	return run.result()
}

// check is one run over one object.
type check struct {
	*Checker
	object   map[string]any
	findings rule.Findings
}

// report adds a finding of a rule, unless the rule does not hold for the version.
func (c *check) report(broken rule.Rule, problem rule.Problem) {
	if holding, ok := broken.For(c.minor); ok {
		c.findings.Report(holding, problem)
	}
}

// result sorts the findings and marks those that the object silences.
func (c *check) result() []Finding {
	ignored := c.ignored()
	if len(c.findings) == 0 {
		return nil
	}
	c.findings.Silence(ignored)
	c.findings.Sort()
	return c.findings
}

// groups are the API groups of the kinds that the rules know.
var groups = map[string]string{
	"Pod": "", "PodTemplate": "", "ReplicationController": "", "Service": "", "Namespace": "", "PersistentVolume": "",
	"Deployment": "apps", "ReplicaSet": "apps", "StatefulSet": "apps", "DaemonSet": "apps",
	"Job": "batch", "CronJob": "batch", "RuntimeClass": "node.k8s.io", "HorizontalPodAutoscaler": "autoscaling",
}

// kindOf is the object's kind, "" for one that the rules do not know: others have
// kinds of the same name, as the Service of Knative. An object that does not say
// its group is taken for Kubernetes' own.
func kindOf(object map[string]any) string {
	kind, _ := tree.Text(object["kind"])
	group, known := groups[kind]
	if !known {
		return ""
	}
	version, said := tree.Text(object["apiVersion"])
	given, _, grouped := strings.Cut(version, "/")
	if !grouped {
		given = ""
	}
	// Manifests of long ago have the workloads in extensions.
	if said && given != group && (given != "extensions" || group != "apps") {
		return ""
	}
	return kind
}
