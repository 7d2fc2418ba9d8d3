package plan

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
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
	return engine.Sorted(found)
}

// Validate returns what is wrong with the administrator, sorted by path.
func (a LinuxAdmin) Validate() []rule.Finding {
	return engine.Sorted(append(checkedLinux.Find(a, 0),
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
	return engine.Sorted(append(checkedWindows.Find(a, 0),
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
	return engine.Sorted(found)
}

// Validate returns what is wrong with the keys, sorted by path.
func (k Keys) Validate() []rule.Finding { return engine.Sorted(checkedKeys.Find(k, 0)) }

// CheckRetained returns a finding for each key in use that differs from the one that the stack
// remembers. The fingerprints are by generation.
func (k Keys) CheckRetained(remembered []RetainedKeys) []rule.Finding {
	return engine.Sorted(checkedRetained.Find(retainedKeys{k, remembered}, 0))
}

// CheckSteps returns a finding for each missing step.
func (k Keys) CheckSteps(missing []Step) []rule.Finding {
	return engine.Sorted(checkedSteps.Find(missingSteps{k, missing}, 0))
}

// ValidatePool returns what is wrong with a pool of machines, except what the topology reports,
// sorted by path.
func ValidatePool(p topology.Pool, path *field.Path) []rule.Finding {
	return engine.Sorted(checkPool(p, path))
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
	return engine.Sorted(checkedSources.Find(clientSources{sources, path}, 0))
}

// CheckReach returns a finding if everyone can connect to the API server.
func (c Defaulted) CheckReach() []rule.Finding { return checkedReach.Find(reach{c}, 0) }
