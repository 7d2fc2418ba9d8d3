package plan

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/rule/aged"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
)

// Validate returns everything that is wrong with the cluster, sorted by path, with paths as in the
// arguments of the component.
func (c Defaulted) Validate() []rule.Finding {
	found := slices.Concat(
		find(clusterName(c.Name)),
		find(c),
		find(size{c.ControlPlane.Size, field.NewPath("controlPlane", "size")}),
		find(c.controlPlaneSettings()),
		find(server{c.APIServer.Options, field.NewPath("apiServer", "options")}),
		find(clientSources{
			c.APIServer.AuthorizedIPRanges, field.NewPath("apiServer", "authorizedIPRanges"),
		}),
		find(clientSources{c.NodePortSources, field.NewPath("nodePortSources")}),
		find(c.Network),
		find(version{c.KubernetesVersion, field.NewPath("kubernetesVersion"), c.Today}),
	)
	for i, p := range c.ServicePorts {
		at := field.NewPath("servicePorts").Index(i)
		found = append(found, find(clientSources{p.Sources, at.Child("sources")})...)
	}
	for i, p := range c.Pools {
		at := field.NewPath("pools").Index(i)
		found = append(found, checkPool(p, at)...)
		if p.KubernetesVersion != c.KubernetesVersion {
			at = at.Child("kubernetesVersion")
			found = append(found, find(version{p.KubernetesVersion, at, c.Today})...)
		}
	}
	for name := range c.PoolOptions {
		found = append(found, find(c.settingsOf(name))...)
	}
	return engine.Sorted(found)
}

// Validate returns what is wrong with the administrator, sorted by path.
func (a LinuxAdmin) Validate() []rule.Finding {
	return engine.Sorted(append(find(a),
		find(username{a.Username, field.NewPath("linuxAdmin", "username")})...))
}

// CheckPublicKey returns what is wrong with the key of the administrator of the Linux machines,
// which may become known only after the other arguments were checked.
func CheckPublicKey(key string) []rule.Finding {
	return find(LinuxAdmin{SSHPublicKey: key})
}

// Validate returns what is wrong with the administrator, sorted by path. No finding shows the
// password.
func (a WindowsAdmin) Validate() []rule.Finding {
	return engine.Sorted(append(find(a),
		find(username{a.Username, field.NewPath("windowsAdmin", "username")})...))
}

// CheckPassword is [CheckPublicKey] for the password of the administrator of the Windows
// machines.
func CheckPassword(password string) []rule.Finding {
	return find(WindowsAdmin{Password: password})
}

// Validate returns everything that is wrong with the pool, sorted by path, with paths as in
// the arguments of the component.
func (j DefaultedJoining) Validate() []rule.Finding {
	found := slices.Concat(
		find(clusterName(j.Name)),
		checkPool(j.Pool, field.NewPath("pool")),
		find(settings{
			image: j.PoolOptions.Image, security: j.PoolOptions.Security, patching: j.PoolOptions.Patching,
			pool: j.Pool, kind: j.Network.Kind,
		}),
		find(j.Network),
		find(j),
		find(version{j.KubernetesVersion, field.NewPath("kubernetesVersion"), j.Today}),
	)
	return engine.Sorted(found)
}

// Validate returns what is wrong with the keys, sorted by path.
func (k Keys) Validate() []rule.Finding { return engine.Sorted(find(k)) }

// CheckRetained returns a finding for each key in use that differs from the one that the stack
// remembers. The fingerprints are by generation.
func (k Keys) CheckRetained(remembered []RetainedKeys) []rule.Finding {
	return engine.Sorted(find(retainedKeys{k, remembered}))
}

// CheckSteps returns a finding for each missing step.
func (k Keys) CheckSteps(missing []Step) []rule.Finding {
	return engine.Sorted(find(missingSteps{k, missing}))
}

// ValidatePool returns what is wrong with a pool of machines, except what the topology reports,
// sorted by path.
func ValidatePool(p topology.Pool, path *field.Path) []rule.Finding {
	return engine.Sorted(checkPool(p, path))
}

// checkPool returns what is wrong with a pool. The topology reports a size of Arm64 in a Windows pool.
func checkPool(p topology.Pool, path *field.Path) rule.Findings {
	found := find(pool{p, path})
	if !p.Platform.IsWindows() {
		found = append(found, find(size{p.Size, path.Child("size")})...)
	}
	return found
}

// CheckSources returns what is wrong with sources that become known later than the other arguments.
func CheckSources(sources []string, path *field.Path) []rule.Finding {
	return engine.Sorted(find(clientSources{sources, path}))
}

// CheckReach returns a finding if everyone can connect to the API server.
func (c Defaulted) CheckReach() []rule.Finding { return find(reach{c}) }

// CheckFacts returns an info if the source of a fact with one of these names was read more than half a year before
// today. It returns nothing if today is zero.
func CheckFacts(today time.Time, names []string) []rule.Finding {
	return find(aged.Use{Today: today, Names: names})
}
