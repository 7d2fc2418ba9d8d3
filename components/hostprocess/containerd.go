package hostprocess

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// olderImages is the first release that runs images of Windows Server 2022 on Windows Server 2025.
var olderImages = kubeversion.Version{Major: 2, Minor: 1}

// withoutOlderImages reports the pools of AKS of a platform whose containerd does not run images of an earlier release of
// Windows. It is not known for other clusters.
func withoutOlderImages(t topology.Topology, of platform.Platform, detail string) field.ErrorList {
	if t.Cloud != topology.AKS {
		return nil
	}
	var errs field.ErrorList
	pools := field.NewPath("topology", "pools")
	for i, p := range t.WithDefaults().Pools {
		if p.Platform != of {
			continue
		}
		if has, known := containerdOfAKS(p.Platform, p.KubernetesVersion); known && has.Compare(olderImages) < 0 {
			errs = append(errs, field.Invalid(pools.Index(i).Child("platform"), string(p.Platform),
				fmt.Sprintf("its nodes have containerd %s: %s", has, detail)))
		}
	}
	return errs
}

// containerdOfAKS returns the release of containerd on the nodes of AKS with a version of Kubernetes.
func containerdOfAKS(p platform.Platform, kubernetes string) (kubeversion.Version, bool) {
	version, known := kubeversion.Parse(kubernetes)
	for _, c := range facts.AKSContainerd {
		named := c.Platform == string(p)
		if !named && c.Platform != "" {
			continue
		}
		// Whatever its version is, a release that is named has this one or a newer one.
		if named && !known || known && version.Compare(c.From) >= 0 {
			return c.Containerd, c.Containerd != kubeversion.Version{}
		}
	}
	return kubeversion.Version{}, false
}
