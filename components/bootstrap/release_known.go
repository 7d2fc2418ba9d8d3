package bootstrap

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/internal/facts"
)

// KnownReleases are releases that work together, with the places where their publishers
// have them, and those of their hashes that are known. For Windows most publishers'
// hashes are not: [NodeFiles] says where to read each one that is missing. What you host
// yourself, from `make node-binaries` for example, you put in its place.
func KnownReleases() Releases {
	return Releases{
		Kubernetes: knownKubernetes(),
		Containerd: Release{facts.Containerd, Downloads{
			Linux:   Download{containerdURL(facts.Containerd, "linux"), facts.ContainerdLinux},
			Windows: Download{URL: containerdURL(facts.Containerd, "windows")},
		}},
		Runc: Release{facts.Runc, Downloads{
			Linux: Download{githubURL("opencontainers/runc", facts.Runc, "runc.amd64"), facts.RuncLinux},
		}},
		CNIPlugins: Release{facts.CNIPlugins, Downloads{
			Linux:   Download{cniURL(facts.CNIPlugins, "linux"), facts.CNIPluginsLinux},
			Windows: Download{URL: cniURL(facts.CNIPlugins, "windows")},
		}},
		Flannel: Release{facts.Flannel, Downloads{
			Windows: Download{URL: githubURL("flannel-io/flannel", facts.Flannel, "flanneld.exe")},
		}},
		FlannelPlugin: Release{facts.FlannelPlugin, Downloads{
			Windows: Download{URL: githubURL("flannel-io/cni-plugin", facts.FlannelPlugin, "flannel-amd64.exe")},
		}},
	}
}

func knownKubernetes() []KubernetesRelease {
	releases := make([]KubernetesRelease, len(facts.KubernetesReleases))
	for i, known := range facts.KubernetesReleases {
		linux := func(name, hash string) Download {
			return Download{fmt.Sprintf("https://dl.k8s.io/v%s/bin/linux/amd64/%s", known.Version, name), hash}
		}
		windows := func(name string) Download {
			return Download{URL: fmt.Sprintf("https://dl.k8s.io/v%s/bin/windows/amd64/%s.exe", known.Version, name)}
		}
		releases[i] = KubernetesRelease{
			Version:   known.Version,
			Kubelet:   Downloads{linux("kubelet", known.Kubelet), windows("kubelet")},
			Kubeadm:   Downloads{linux("kubeadm", known.Kubeadm), windows("kubeadm")},
			Kubectl:   Downloads{Linux: linux("kubectl", known.Kubectl)},
			KubeProxy: Downloads{Windows: windows("kube-proxy")},
		}
	}
	return releases
}

func containerdURL(version, system string) string {
	return githubURL("containerd/containerd", version, fmt.Sprintf("containerd-%s-%s-amd64.tar.gz", version, system))
}

func cniURL(version, system string) string {
	return githubURL("containernetworking/plugins", version,
		fmt.Sprintf("cni-plugins-%s-amd64-v%s.tgz", system, version))
}

func githubURL(repository, version, file string) string {
	return fmt.Sprintf("https://github.com/%s/releases/download/v%s/%s", repository, version, file)
}

// hashURL returns the address of the publisher's hash of a file, "" if it is not known.
func hashURL(url string) string {
	switch {
	case strings.HasPrefix(url, "https://dl.k8s.io/"), strings.Contains(url, "/containernetworking/plugins/"):
		return url + ".sha256"
	case strings.Contains(url, "/containerd/containerd/"):
		return url + ".sha256sum"
	case strings.Contains(url, "/opencontainers/runc/"):
		return url[:strings.LastIndex(url, "/")] + "/runc.sha256sum"
	default:
		return ""
	}
}
