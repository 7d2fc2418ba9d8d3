package bootstrap

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// KnownReleases are releases that work together, with the places where their publishers
// have them, and those of their hashes that are known. For Windows most publishers'
// hashes are not: [NodeFiles] says where to read each one that is missing. Put what you host
// yourself, from `make node-binaries` for example, in its place; [Releases.WithDefaults]
// completes a few files of your own with these.
func KnownReleases() Releases {
	var r Releases
	for _, known := range facts.KubernetesReleases() {
		r.Kubernetes = append(r.Kubernetes, publishedKubernetes(known.Version))
	}
	for _, p := range publishers {
		*p.field(&r) = p.release(p.known)
	}
	return r
}

// publishers have the programs other than Kubernetes.
var publishers = []publisher{
	{
		field: func(r *Releases) *Release { return &r.Containerd }, known: facts.Containerd,
		facts:   []string{"Containerd", "ContainerdLinux"},
		linux:   func(v string) string { return containerdURL(v, "linux") },
		windows: func(v string) string { return containerdURL(v, "windows") }, linuxHash: facts.ContainerdLinux,
	},
	{
		field: func(r *Releases) *Release { return &r.Runc }, known: facts.Runc,
		facts:     []string{"Runc", "RuncLinux"},
		linux:     func(v string) string { return githubURL("opencontainers/runc", v, "runc.amd64") },
		linuxHash: facts.RuncLinux,
	},
	{
		field: func(r *Releases) *Release { return &r.CNIPlugins }, known: facts.CNIPlugins,
		facts:   []string{"CNIPlugins", "CNIPluginsLinux"},
		linux:   func(v string) string { return cniURL(v, "linux") },
		windows: func(v string) string { return cniURL(v, "windows") }, linuxHash: facts.CNIPluginsLinux,
	},
	{
		field: func(r *Releases) *Release { return &r.Flannel }, known: facts.Flannel,
		facts:   []string{"Flannel"},
		windows: func(v string) string { return githubURL("flannel-io/flannel", v, "flanneld.exe") },
	},
	{
		field: func(r *Releases) *Release { return &r.FlannelPlugin }, known: facts.FlannelPlugin,
		facts:   []string{"FlannelPlugin"},
		windows: func(v string) string { return githubURL("flannel-io/cni-plugin", v, "flannel-amd64.exe") },
	},
}

// publisher tells where the releases of a program are.
type publisher struct {
	field func(*Releases) *Release
	// known is the version of [KnownReleases], and linuxHash the hash of its file for Linux.
	known, linuxHash string
	// facts are the names of these facts.
	facts []string
	// linux and windows return the address of a version's file; nil if there is none that nodes need.
	linux, windows func(version string) string
}

// release returns a version as it is published, with the hashes that are known.
func (p publisher) release(version string) Release {
	r := Release{Version: version}
	if p.linux != nil {
		r.Linux.URL = p.linux(version)
	}
	if version == p.known {
		r.Linux.SHA256 = p.linuxHash
	}
	if p.windows != nil {
		r.Windows.URL = p.windows(version)
	}
	return r
}

// publishedKubernetes returns a patch release of Kubernetes as it is published, with the hashes that are known.
func publishedKubernetes(version string) KubernetesRelease {
	known := facts.KubernetesRelease{Version: version}
	for _, k := range facts.KubernetesReleases() {
		if k.Version == version {
			known = k
		}
	}
	linux := func(name, hash string) Download {
		return Download{fmt.Sprintf("https://dl.k8s.io/v%s/bin/linux/amd64/%s", version, name), hash}
	}
	windows := func(name string) Download {
		return Download{URL: fmt.Sprintf("https://dl.k8s.io/v%s/bin/windows/amd64/%s.exe", version, name)}
	}
	return KubernetesRelease{
		Version:   version,
		Kubelet:   Downloads{linux("kubelet", known.Kubelet), windows("kubelet")},
		Kubeadm:   Downloads{linux("kubeadm", known.Kubeadm), windows("kubeadm")},
		Kubectl:   Downloads{Linux: linux("kubectl", known.Kubectl)},
		KubeProxy: Downloads{Windows: windows("kube-proxy")},
	}
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

// hashSource returns where the hash of the file at an address is found.
func hashSource(url string) string {
	switch {
	case strings.HasPrefix(url, "https://dl.k8s.io/"), strings.Contains(url, "/containernetworking/plugins/"):
		return "read it at " + url + ".sha256"
	case strings.Contains(url, "/containerd/containerd/"):
		return "read it at " + url + ".sha256sum"
	case strings.Contains(url, "/opencontainers/runc/"):
		return "read it at " + url[:strings.LastIndex(url, "/")] + "/runc.sha256sum"
	}
	// GitHub computes a SHA-256 of each file of a release when it is uploaded, and shows it on the release's page
	// (https://github.com/github/roadmap/issues/1136).
	if page := githubRelease.FindStringSubmatch(url); page != nil {
		return fmt.Sprintf("read it at %s/tag/%s, or compute it from %s", page[1], page[2], url)
	}
	return "compute it from " + url
}

// githubRelease matches the address of a file of a release on GitHub.
var githubRelease = regexp.MustCompile(`^(https://github\.com/[^/]+/[^/]+/releases)/download/([^/]+)/[^/]+$`)
