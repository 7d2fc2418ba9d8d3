package bootstrap

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	utilversion "k8s.io/apimachinery/pkg/util/version"

	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
)

var (
	versionFormat = regexp.MustCompile(`^\d{1,3}\.\d{1,3}\.\d{1,3}$`)
	releaseFormat = regexp.MustCompile(`^\d{1,3}\.\d{1,3}\.\d{1,3}(-[a-z0-9.]+)?$`)
	imageFormat   = regexp.MustCompile(
		`^[a-z0-9][a-z0-9.-]*(:\d+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)+` +
			`(:[A-Za-z0-9_][A-Za-z0-9_.-]*|(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?@sha256:[0-9a-f]{64})$`,
	)
	sha256Format = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// oldestContainerd is the oldest minor version of containerd that has the configuration
// which the nodes get (https://github.com/containerd/containerd/blob/main/RELEASES.md).
var oldestContainerd = kubeversion.Version{Major: 2, Minor: 1}

// needs lists the systems and versions of Kubernetes that the nodes of a cluster need.
type needs struct {
	linux, windows bool
	// kubeProxy and flannel report whether Windows nodes need them.
	kubeProxy, flannel bool
	// versions has for each minor version who wants it first.
	versions map[kubeversion.Version]wish
}

// wish is where a version is requested, and how it is written there.
type wish struct {
	path *field.Path
	text string
}

// check returns the errors of the releases that are needed. Releases that no node needs may be
// incomplete.
func (r Releases) check(n needs, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	kubernetes := path.Child("kubernetes")
	first := map[kubeversion.Version]int{}
	for i, release := range r.Kubernetes {
		at := kubernetes.Index(i)
		version, ok := exactVersion(release.Version)
		if !ok {
			errs = append(errs, field.Invalid(at.Child("version"), release.Version,
				"must be a patch release, 1.36.1 for example"))
			continue
		}
		if j, twice := first[version]; twice {
			duplicate := field.Duplicate(at.Child("version"), release.Version)
			duplicate.Detail = fmt.Sprintf("%s is %s: keep one release of each minor version", kubernetes.Index(j),
				r.Kubernetes[j].Version)
			errs = append(errs, duplicate)
			continue
		}
		first[version] = i
		wish, needed := n.versions[version]
		if !needed {
			continue
		}
		if text := strings.TrimPrefix(wish.text, "v"); text != version.String() && text != release.Version {
			errs = append(errs, field.Invalid(wish.path, wish.text, fmt.Sprintf(
				"the release of %s is %s: use %q, or put %s into releases.kubernetes", version, release.Version,
				version, text)))
		}
		errs = append(errs, release.Kubelet.check(n, "kubelet", at.Child("kubelet"))...)
		errs = append(errs, release.Kubeadm.check(n, "kubeadm", at.Child("kubeadm"))...)
		errs = append(errs, release.Kubectl.check(needs{linux: n.linux}, "kubectl", at.Child("kubectl"))...)
		errs = append(errs, release.KubeProxy.check(needs{windows: n.kubeProxy}, "kube-proxy",
			at.Child("kubeProxy"))...)
	}
	for _, version := range sortedVersions(n.versions) {
		if _, ok := first[version]; !ok {
			errs = append(errs, field.Required(kubernetes, fmt.Sprintf(
				"%s is Kubernetes %s, and no release of it is known: add one", n.versions[version].path, version)))
		}
	}
	errs = append(errs, r.Containerd.check(n, "containerd", path.Child("containerd"))...)
	errs = append(errs, r.checkContainerd(n, path.Child("containerd", "version"))...)
	if r.PauseImage != "" && !imageFormat.MatchString(r.PauseImage) {
		errs = append(errs, field.Invalid(path.Child("pauseImage"), r.PauseImage,
			"must be an image with a tag or digest, mcr.microsoft.com/oss/v2/kubernetes/pause:3.10.2 for example"))
	}
	errs = append(errs, r.Runc.check(needs{linux: n.linux}, "runc", path.Child("runc"))...)
	errs = append(errs, r.CNIPlugins.check(n, "the CNI plugins", path.Child("cniPlugins"))...)
	errs = append(errs, r.Flannel.check(needs{windows: n.flannel}, "flanneld", path.Child("flannel"))...)
	return append(errs, r.FlannelPlugin.check(needs{windows: n.flannel}, "flannel's CNI plugin",
		path.Child("flannelPlugin"))...)
}

// checkContainerd compares containerd with the versions of Kubernetes that nodes have
// (https://github.com/containerd/containerd/blob/main/RELEASES.md#kubernetes-support).
func (r Releases) checkContainerd(n needs, path *field.Path) field.ErrorList {
	minor, ok := exactVersion(r.Containerd.Version)
	if !ok {
		return nil // another check reports it, or it is before a release
	}
	if minor.Compare(oldestContainerd) < 0 {
		return field.ErrorList{field.Invalid(path, r.Containerd.Version,
			fmt.Sprintf("cannot read the configuration of the nodes: use %s or newer", oldestContainerd))}
	}
	containerd := utilversion.MustParseGeneric(r.Containerd.Version)
	for _, pair := range facts.ContainerdPairs {
		if containerd.AtLeast(utilversion.MustParseGeneric(pair.Containerd)) {
			continue
		}
		for _, kubernetes := range slices.Backward(sortedVersions(n.versions)) {
			if kubernetes.Compare(pair.Kubernetes) >= 0 {
				return field.ErrorList{field.Invalid(path, r.Containerd.Version, fmt.Sprintf(
					"is not supported with Kubernetes %s of %s: use %s or newer", kubernetes,
					n.versions[kubernetes].path, pair.Containerd))}
			}
		}
	}
	return nil
}

func (r Release) check(n needs, what string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if (n.linux || n.windows) && !releaseFormat.MatchString(r.Version) {
		errs = append(errs, field.Invalid(path.Child("version"), r.Version, "must be a release, 2.3.6 for example"))
	}
	return append(errs, r.Downloads.check(n, what, path)...)
}

func (d Downloads) check(n needs, what string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if n.linux {
		errs = append(errs, d.Linux.check(what+" for Linux", path.Child("linux"))...)
	}
	if n.windows {
		errs = append(errs, d.Windows.check(what+" for Windows", path.Child("windows"))...)
	}
	return errs
}

func (d Download) check(what string, path *field.Path) field.ErrorList {
	errs := d.checkURL(path.Child("url"))
	isPublic := len(errs) == 0
	hash := path.Child("sha256")
	switch {
	case d.SHA256 == "":
		from := "compute it from the file at " + path.Child("url").String()
		if isPublic {
			from = hashSource(d.URL)
		}
		errs = append(errs, field.Required(hash, fmt.Sprintf("the node verifies %s with this hash: %s", what, from)))
	case !sha256Format.MatchString(d.SHA256):
		errs = append(errs, field.Invalid(hash, d.SHA256, "must be 64 lower-case hexadecimal digits"))
	}
	return errs
}

// checkURL refuses what may be a secret, a password or a signature, and does not show it.
func (d Download) checkURL(path *field.Path) field.ErrorList {
	u, err := url.Parse(d.URL)
	if err != nil || u.User != nil {
		return field.ErrorList{field.Invalid(path, field.OmitValueType{}, "must be an https address without a user")}
	}
	shown, _, _ := strings.Cut(d.URL, "#")
	shown, _, _ = strings.Cut(shown, "?")
	switch {
	case u.Scheme != "https" || u.Host == "" || strings.ContainsFunc(shown, notInURL):
		return field.ErrorList{field.Invalid(path, shown, "must be an https address without a user")}
	case shown != d.URL:
		return field.ErrorList{field.Invalid(path, shown, "has a query or a fragment after this: it would be in the "+
			"customData, on the disk and in the log of each machine, with the signature that it may have: use an "+
			"address without one, that of a mirror in your network for example")}
	default:
		return nil
	}
}

// notInURL finds what ends a field of a list or a line.
func notInURL(r rune) bool { return r <= ' ' || r == 0x7f || r > 0x7e }

// exactVersion reads a patch release as its minor version.
func exactVersion(s string) (kubeversion.Version, bool) {
	if !versionFormat.MatchString(s) {
		return kubeversion.Version{}, false
	}
	return kubeversion.Parse(s)
}

func sortedVersions(m map[kubeversion.Version]wish) []kubeversion.Version {
	return slices.SortedFunc(maps.Keys(m), kubeversion.Version.Compare)
}
