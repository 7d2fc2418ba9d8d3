package plan

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// check collects the findings about a cluster, or about a pool alone.
type check struct{ rule.Findings }

// result returns the findings, sorted by path.
func (c *check) result() []rule.Finding {
	c.Sort()
	return c.Findings
}

// Validate returns everything that is wrong with the cluster, sorted by path, with paths as in the
// arguments of the component.
func (c Defaulted) Validate() []rule.Finding {
	run := &check{}
	run.clusterName(c.Name)
	run.controlPlane(c.ControlPlane, field.NewPath("controlPlane"))
	run.security(c.ControlPlane.Security, c.controlPlanePool(), c.Network.Kind,
		field.NewPath("controlPlane", "security"))
	run.pools(c)
	run.ranges(c.APIServer.AuthorizedIPRanges, field.NewPath("apiServer", "authorizedIPRanges"))
	run.apiServer(c.APIServer.Options, field.NewPath("apiServer", "options"))
	run.ranges(c.NodePortSources, field.NewPath("nodePortSources"))
	run.servicePorts(c.ServicePorts, field.NewPath("servicePorts"))
	// The machines can be checked only if there is a range for them.
	if run.network(c, field.NewPath("network")) {
		run.bootstrap(c.bootstrapErrors())
		run.withoutFollowUps()
	}
	return run.result()
}

// withoutFollowUps removes findings about machines of a pool that already has another finding, and
// about the name of the control plane, which is not an argument.
func (c *check) withoutFollowUps() {
	all := slices.Clone(c.Findings)
	follows := func(f rule.Finding) bool {
		below := func(other rule.Finding) bool { return strings.HasPrefix(other.Path, f.Path+".") }
		return f.Path == "controlPlane.name" || wholePool.MatchString(f.Path) && slices.ContainsFunc(all, below)
	}
	c.Findings = slices.DeleteFunc(c.Findings, follows)
}

var wholePool = regexp.MustCompile(`^pool(s\[\d+\])?$`)

// invalid is a problem with a value.
func invalid(path *field.Path, value any, detail, fix string) rule.Problem {
	return rule.Problem{Path: path.String(), Type: field.ErrorTypeInvalid, Value: value, Detail: detail, Fix: fix}
}

// required is a problem with a missing value.
func required(path *field.Path, detail string) rule.Problem {
	return rule.Problem{Path: path.String(), Type: field.ErrorTypeRequired, Value: "", Detail: detail}
}

var clusterNameMalformed = rule.Rule{
	ID: "MK640", Severity: rule.Error, Title: "a cluster name that is not a valid prefix of machine names",
	Reason: "The names of all resources in Azure begin with it. The name of a virtual machine has at most 64 " +
		"characters, and must be a valid host name.",
	Source:    namesPage,
	Mandatory: true,
}

// nameFormat leaves room for the rest of the machines' names.
var nameFormat = regexp.MustCompile(`^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$`)

func (c *check) clusterName(name string) {
	if !nameFormat.MatchString(name) {
		c.Report(clusterNameMalformed, invalid(field.NewPath("clusterName"), name,
			"must be 1 to 30 lower-case letters, digits and hyphens, with a letter first and no hyphen last",
			"the names of resources in Azure begin with it"))
	}
}

var controlPlaneCount = rule.Rule{
	ID: "MK641", Severity: rule.Error, Title: "a control plane whose number of machines is not 1, 3 or 5",
	Reason: "The first machine creates the cluster. etcd needs more than half of its members: an even number " +
		"tolerates no more failures than one fewer, and more than five make each write slower.",
	Source:    "https://etcd.io/docs/v3.6/faq/",
	Mandatory: true,
}

func (c *check) controlPlane(p ControlPlane, path *field.Path) {
	if p.Count != 1 && p.Count != 3 && p.Count != 5 {
		c.Report(controlPlaneCount, invalid(path.Child("count"), p.Count, "must be 1, 3 or 5",
			"etcd needs more than half of its members, so that an even number tolerates no more failures than one "+
				"fewer"))
	}
	c.machineSize(p.Size, path.Child("size"))
	c.image(p.Image, path.Child("image"))
}

var (
	poolCalledControlPlane = rule.Rule{
		ID: "MK642", Severity: rule.Error, Title: "a pool with the name of the control plane",
		Reason: "The control plane is a pool of the topology, and the names of machines begin with those of their " +
			"pools.",
		Source:    ownSource,
		Mandatory: true,
	}
	optionsOfNoPool = rule.Rule{
		ID: "MK648", Severity: rule.Error, Title: "options for a pool that does not exist",
		Reason: "The component would ignore the options.",
		Source: ownSource,
	}
)

// pools checks the pools and their options.
func (c *check) pools(cluster Defaulted) {
	var names []string
	for i, pool := range cluster.Pools {
		at := field.NewPath("pools").Index(i)
		if pool.Name == ControlPlanePool {
			c.Report(poolCalledControlPlane, invalid(at.Child("name"), pool.Name,
				"this is the name of the control plane", "use another name"))
		}
		c.pool(pool, at)
		names = append(names, pool.Name)
	}
	for name, o := range cluster.PoolOptions {
		at := field.NewPath("poolOptions").Key(name)
		i := slices.Index(names, name)
		if i < 0 {
			c.Report(optionsOfNoPool, invalid(at, name, fielderrors.Unknown("pool", name, names), ""))
			c.image(o.Image, at.Child("image"))
			continue
		}
		c.options(o, cluster.Pools[i], cluster.Network.Kind, at)
	}
}

// options checks the options of a pool; the path is nil if the options are arguments themselves.
func (c *check) options(o PoolOptions, p topology.Pool, kind network.Kind, path *field.Path) {
	c.image(o.Image, path.Child("image"))
	c.security(o.Security, p, kind, path.Child("security"))
	c.patching(o.Patching, p, o.Image, path.Child("patching"))
}
