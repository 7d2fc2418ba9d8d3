package bootstrap

import "slices"

// NodeFiles returns the files of the node with a name, in the order of their paths. The
// error lists everything that is wrong with the cluster, and with how the node joins
// it, with paths below "cluster" and "join".
//
// The first node of the control plane needs no [Join]; it creates the cluster, with
// Join.Token as its first bootstrap token if there is one.
//
// Another machine in the cluster changes files of the others, the routes for example where
// the network has no overlay: create the files of all nodes again, and bring them onto the
// machines, but those with [File.Secret] onto new ones only. On a machine that is a node
// already
//   - the routes and the addresses that are not masqueraded follow within seconds on
//     Linux, where a unit of systemd looks at the files;
//   - the script of a Windows node, run again ([WindowsScript]), looks at everything and repairs
//     what differs: downloads, containerd's configuration, the network and the kubelet's
//     service;
//   - the configuration of containerd and the units of systemd count on Linux after
//     `systemctl daemon-reload` and a restart of the service. Downloads are not repeated;
//   - whatever kubeadm applies at the join has no effect: the options of the kubelet, its
//     patch, and the node's labels and taints. Change those with kubectl, or remove the
//     node and let the machine join again.
func NodeFiles(c Cluster, name string, j Join) ([]File, error) {
	m, err := c.WithDefaults().machine(name, &j)
	if err != nil {
		return nil, err
	}
	return m.files(), nil
}

// PublicFiles returns the files of [NodeFiles] without [File.Secret], which a machine may get
// in its customData. They do not depend on how the node joins, so that they can be created before
// that is known. The error lists everything that is wrong with the cluster.
func PublicFiles(c Cluster, name string) ([]File, error) {
	m, err := c.WithDefaults().machine(name, nil)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(m.files(), func(f File) bool { return f.Secret }), nil
}

// SecretFiles returns the files of [NodeFiles] with [File.Secret]. A machine that has the
// [PublicFiles] waits for them: [LinuxScript] and [WindowsCommand] bring them onto it. The
// error is the same as that of NodeFiles.
func SecretFiles(c Cluster, name string, j Join) ([]File, error) {
	files, err := NodeFiles(c, name, j)
	return slices.DeleteFunc(files, func(f File) bool { return !f.Secret }), err
}

// files returns all files of a machine, in the order of their paths.
func (m machine) files() []File {
	if m.pool.Platform.IsWindows() {
		return windowsFiles(m)
	}
	return linuxFiles(m)
}
