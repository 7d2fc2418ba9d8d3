package bootstrap

import (
	"cmp"
	"slices"

	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

// WithDefaults returns the releases with a default for each field that is not set, so that only
// what differs from [KnownReleases] must be set:
//
//   - A release of Kubernetes replaces the known release of its minor version. The other minor
//     versions have the known releases.
//   - The version of another program defaults to the known version.
//   - The address of a file defaults to the one where the publisher has this version.
//   - The hash of a file at that address defaults to the known hash of this version, if there is
//     one. The hash of a file at another address has no default.
//
// The pause image has its own default, see [Releases.PauseImageOf]. Releases that are complete
// do not change, and neither do the indexes of Kubernetes.
func (r Releases) WithDefaults() Releases {
	r.Kubernetes = slices.Clone(r.Kubernetes)
	configured := map[kubeversion.Version]bool{}
	for i, k := range r.Kubernetes {
		if version, ok := exactVersion(k.Version); ok {
			configured[version] = true
			r.Kubernetes[i] = k.or(publishedKubernetes(k.Version))
		}
	}
	for _, known := range facts.KubernetesReleases() {
		if version, _ := exactVersion(known.Version); !configured[version] {
			r.Kubernetes = append(r.Kubernetes, publishedKubernetes(known.Version))
		}
	}
	for _, p := range publishers {
		release := p.field(&r)
		release.Version = cmp.Or(release.Version, p.known)
		version := release.Version
		if !releaseFormat.MatchString(version) {
			version = p.known // the version is reported, and no address that follows from it
		}
		release.Downloads = release.or(p.release(version).Downloads)
	}
	return r
}

func (k KubernetesRelease) or(published KubernetesRelease) KubernetesRelease {
	k.Kubelet = k.Kubelet.or(published.Kubelet)
	k.Kubeadm = k.Kubeadm.or(published.Kubeadm)
	k.Kubectl = k.Kubectl.or(published.Kubectl)
	k.KubeProxy = k.KubeProxy.or(published.KubeProxy)
	return k
}

func (d Downloads) or(published Downloads) Downloads {
	return Downloads{d.Linux.or(published.Linux), d.Windows.or(published.Windows)}
}

func (d Download) or(published Download) Download {
	d.URL = cmp.Or(d.URL, published.URL)
	if d.URL == published.URL {
		d.SHA256 = cmp.Or(d.SHA256, published.SHA256)
	}
	return d
}
