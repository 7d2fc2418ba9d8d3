package bootstrap

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// WithHashes returns the releases with hashes put to the downloads of some addresses. The
// errors are about addresses that nothing is downloaded from, with paths below path.
func (r Releases) WithHashes(hashes map[string]string, path *field.Path) (Releases, field.ErrorList) {
	r.Kubernetes = slices.Clone(r.Kubernetes)
	downloads := map[string][]*Download{}
	for _, d := range r.downloads() {
		downloads[d.URL] = append(downloads[d.URL], d)
	}
	var errs field.ErrorList
	for _, url := range slices.Sorted(maps.Keys(hashes)) {
		if len(downloads[url]) == 0 {
			errs = append(errs, field.Invalid(path.Key(url), url,
				unknownDownload(url, slices.Sorted(maps.Keys(downloads)))))
		}
		for _, d := range downloads[url] {
			d.SHA256 = hashes[url]
		}
	}
	return r, errs
}

// unknownDownload does not list all known downloads, because there are many.
func unknownDownload(url string, known []string) string {
	const nothing = "no download has this address"
	if suggestion, ok := fielderrors.Nearest(url, known); ok {
		return fmt.Sprintf("%s: did you mean %s?", nothing, suggestion)
	}
	return nothing + ": remove it"
}

// All returns the files of the releases, for a mirror for example.
func (r Releases) All() []Download {
	var all []Download
	for _, d := range r.downloads() {
		all = append(all, *d)
	}
	return all
}

// downloads returns the files of the releases, to be changed.
func (r *Releases) downloads() []*Download {
	var all []*Download
	add := func(d *Downloads) { all = append(all, &d.Linux, &d.Windows) }
	for i := range r.Kubernetes {
		k := &r.Kubernetes[i]
		add(&k.Kubelet)
		add(&k.Kubeadm)
		add(&k.Kubectl)
		add(&k.KubeProxy)
	}
	for _, release := range []*Release{&r.Containerd, &r.Runc, &r.CNIPlugins, &r.Flannel, &r.FlannelPlugin} {
		add(&release.Downloads)
	}
	return slices.DeleteFunc(all, func(d *Download) bool { return d.URL == "" })
}
