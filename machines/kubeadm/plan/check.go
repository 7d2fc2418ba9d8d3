package plan

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// Validate returns everything that is wrong with the cluster, sorted by path, with paths as in the
// arguments of the component.
func (c Defaulted) Validate() []rule.Finding {
	found := slices.Concat(
		checkedNames.Find(clusterName(c.Name), 0),
		checkedClusters.Find(c, 0),
		checkedSizes.Find(size{c.ControlPlane.Size, field.NewPath("controlPlane", "size")}, 0),
		checkedSettings.Find(c.controlPlaneSettings(), 0),
		checkedServers.Find(server{c.APIServer.Options, field.NewPath("apiServer", "options")}, 0),
		checkedSources.Find(clientSources{
			c.APIServer.AuthorizedIPRanges, field.NewPath("apiServer", "authorizedIPRanges"),
		}, 0),
		checkedSources.Find(clientSources{c.NodePortSources, field.NewPath("nodePortSources")}, 0),
		checkedNetworks.Find(c.Network, 0),
	)
	for i, p := range c.ServicePorts {
		at := field.NewPath("servicePorts").Index(i)
		found = append(found, checkedSources.Find(clientSources{p.Sources, at.Child("sources")}, 0)...)
	}
	for i, p := range c.Pools {
		found = append(found, checkPool(p, field.NewPath("pools").Index(i))...)
	}
	for name := range c.PoolOptions {
		found = append(found, checkedSettings.Find(c.settingsOf(name), 0)...)
	}
	return sorted(withoutFollowUps(found))
}

// sorted returns the findings, sorted by path.
func sorted(found rule.Findings) []rule.Finding {
	found.Sort()
	return found
}

// withoutFollowUps returns the findings without those about a whole pool that has another finding: they follow from it.
func withoutFollowUps(found rule.Findings) rule.Findings {
	return slices.DeleteFunc(slices.Clone(found), func(f rule.Finding) bool {
		below := func(other rule.Finding) bool { return strings.HasPrefix(other.Path, f.Path+".") }
		return wholePool.MatchString(f.Path) && slices.ContainsFunc(found, below)
	})
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

var clusterNameMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK640", Severity: rule.Error, Title: "a cluster name that is not a valid prefix of machine names",
		Page: rulepages.Kubeadm,
		Reason: "The names of all resources in Azure begin with it. The name of a virtual machine has at most 64 " +
			"characters, and must be a valid host name.",
		Source:    namesPage,
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(names, func(name clusterName) []rule.Problem {
		if nameFormat.MatchString(string(name)) {
			return nil
		}
		return []rule.Problem{invalid(field.NewPath("clusterName"), string(name),
			"must be 1 to 30 lower-case letters, digits and hyphens, with a letter first and no hyphen last",
			"the names of resources in Azure begin with it")}
	})},
}

// nameFormat leaves room for the rest of the machines' names.
var nameFormat = regexp.MustCompile(`^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$`)

var controlPlaneCount = engine.Rule{
	Rule: rule.Rule{
		ID: "MK641", Severity: rule.Error, Title: "a control plane whose number of machines is not 1, 3 or 5",
		Page: rulepages.Kubeadm,
		Reason: "The first machine creates the cluster. etcd needs more than half of its members: an even number " +
			"tolerates no more failures than one fewer, and more than five make each write slower.",
		Source:    "https://etcd.io/docs/v3.6/faq/",
		Mandatory: true,
	},
	Checks: []engine.Check{engine.On(clusters, func(c Defaulted) []rule.Problem {
		if count := c.ControlPlane.Count; count != 1 && count != 3 && count != 5 {
			return []rule.Problem{invalid(field.NewPath("controlPlane", "count"), count, "must be 1, 3 or 5",
				"etcd needs more than half of its members, so that an even number tolerates no more failures than one "+
					"fewer")}
		}
		return nil
	})},
}

var (
	poolCalledControlPlane = engine.Rule{
		Rule: rule.Rule{
			ID: "MK642", Severity: rule.Error, Title: "a pool with the name of the control plane",
			Page: rulepages.Kubeadm,
			Reason: "The control plane is a pool of the topology, and the names of machines begin with those of " +
				"their pools.",
			Source:    ownSource,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(clusters, func(c Defaulted) []rule.Problem {
			var found []rule.Problem
			for i, pool := range c.Pools {
				if pool.Name == ControlPlanePool {
					found = append(found, invalid(field.NewPath("pools").Index(i).Child("name"), pool.Name,
						"this is the name of the control plane", "use another name"))
				}
			}
			return found
		})},
	}
	optionsOfNoPool = engine.Rule{
		Rule: rule.Rule{
			ID: "MK648", Severity: rule.Error, Title: "options for a pool that does not exist", Page: rulepages.Kubeadm,
			Reason: "The component would ignore the options.",
			Source: ownSource,
		},
		Checks: []engine.Check{engine.On(clusters, func(c Defaulted) []rule.Problem {
			var found []rule.Problem
			for _, name := range slices.Sorted(maps.Keys(c.PoolOptions)) {
				if _, exists := c.pool(name); !exists {
					found = append(found, invalid(field.NewPath("poolOptions").Key(name), name,
						fielderrors.Unknown("pool", name, c.poolNames()), ""))
				}
			}
			return found
		})},
	}
)

// pool returns the pool with a name.
func (c Defaulted) pool(name string) (topology.Pool, bool) {
	i := slices.Index(c.poolNames(), name)
	if i < 0 {
		return topology.Pool{}, false
	}
	return c.Pools[i], true
}

func (c Defaulted) poolNames() []string {
	names := make([]string, len(c.Pools))
	for i, pool := range c.Pools {
		names[i] = pool.Name
	}
	return names
}

// Validate returns what is wrong with the administrator, sorted by path.
func (a LinuxAdmin) Validate() []rule.Finding {
	return sorted(append(checkedLinux.Find(a, 0),
		checkedUsernames.Find(username{a.Username, field.NewPath("linuxAdmin", "username")}, 0)...))
}

// CheckPublicKey returns what is wrong with the key of the administrator of the Linux machines,
// which may become known only after the other arguments were checked.
func CheckPublicKey(key string) []rule.Finding {
	return checkedLinux.Find(LinuxAdmin{SSHPublicKey: key}, 0)
}

// Validate returns what is wrong with the administrator, sorted by path. No finding shows the
// password.
func (a WindowsAdmin) Validate() []rule.Finding {
	return sorted(append(checkedWindows.Find(a, 0),
		checkedUsernames.Find(username{a.Username, field.NewPath("windowsAdmin", "username")}, 0)...))
}

// CheckPassword is [CheckPublicKey] for the password of the administrator of the Windows
// machines.
func CheckPassword(password string) []rule.Finding {
	return checkedWindows.Find(WindowsAdmin{Password: password}, 0)
}

// Validate returns everything that is wrong with the pool, sorted by path, with paths as in
// the arguments of the component.
func (j DefaultedJoining) Validate() []rule.Finding {
	found := slices.Concat(
		checkedNames.Find(clusterName(j.Name), 0),
		checkPool(j.Pool, field.NewPath("pool")),
		checkedSettings.Find(settings{
			image: j.PoolOptions.Image, security: j.PoolOptions.Security, patching: j.PoolOptions.Patching,
			pool: j.Pool, kind: j.Network.Kind,
		}, 0),
		checkedNetworks.Find(j.Network, 0),
		checkedJoinings.Find(j, 0),
	)
	return sorted(withoutFollowUps(found))
}

// Validate returns what is wrong with the keys, sorted by path.
func (k Keys) Validate() []rule.Finding { return sorted(checkedKeys.Find(k, 0)) }

// CheckRetained returns a finding for each key in use that differs from the one that the stack
// remembers. The fingerprints are by generation.
func (k Keys) CheckRetained(remembered []RetainedKeys) []rule.Finding {
	return sorted(checkedRetained.Find(retainedKeys{k, remembered}, 0))
}

// CheckSteps returns a finding for each missing step.
func (k Keys) CheckSteps(missing []Step) []rule.Finding {
	return sorted(checkedSteps.Find(missingSteps{k, missing}, 0))
}

// checkPool returns what is wrong with a pool. The topology reports a size of Arm64 in a Windows pool.
func checkPool(p topology.Pool, path *field.Path) rule.Findings {
	found := checkedPools.Find(pool{p, path}, 0)
	if !p.Platform.IsWindows() {
		found = append(found, checkedSizes.Find(size{p.Size, path.Child("size")}, 0)...)
	}
	return found
}

// CheckSources returns what is wrong with sources that become known later than the other arguments.
func CheckSources(sources []string, path *field.Path) []rule.Finding {
	return sorted(checkedSources.Find(clientSources{sources, path}, 0))
}

// CheckReach returns a finding if everyone can connect to the API server.
func (c Defaulted) CheckReach() []rule.Finding { return checkedReach.Find(reach{c}, 0) }
