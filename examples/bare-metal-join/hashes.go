package main

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/components/bootstrap"
)

// withHashes gives the downloads the hashes of a text whose lines are those of
// sha256sum: a hash, and the address of the file. An address that nothing is downloaded
// from is a mistake.
func withHashes(r bootstrap.Releases, text string) (bootstrap.Releases, error) {
	all := downloads(&r)
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return r, fmt.Errorf("line %d: %q: must be a hash and an address", number, strings.TrimSpace(line))
		}
		known := false
		for _, download := range all {
			if download.URL == fields[1] {
				download.SHA256, known = fields[0], true
			}
		}
		if !known {
			return r, fmt.Errorf("line %d: nothing is downloaded from %s", number, fields[1])
		}
	}
	return r, nil
}

// downloads are all files of the releases.
func downloads(r *bootstrap.Releases) []*bootstrap.Download {
	var all []*bootstrap.Download
	add := func(d *bootstrap.Downloads) { all = append(all, &d.Linux, &d.Windows) }
	for i := range r.Kubernetes {
		add(&r.Kubernetes[i].Kubelet)
		add(&r.Kubernetes[i].Kubeadm)
		add(&r.Kubernetes[i].Kubectl)
		add(&r.Kubernetes[i].KubeProxy)
	}
	add(&r.Containerd.Downloads)
	add(&r.Runc.Downloads)
	add(&r.CNIPlugins.Downloads)
	add(&r.Flannel.Downloads)
	add(&r.FlannelPlugin.Downloads)
	return all
}
