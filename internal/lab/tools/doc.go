// Package tools provides the binaries that the lab runs: the Kubernetes control
// plane, etcd, KWOK, the Pulumi CLI with its Go language host, and Pulumi's
// Kubernetes provider; and those that only tests run: the oracles, which say what
// API servers of several versions say to an object (see the folder oracle).
//
//	cache, err := tools.New(os.Stderr)
//	...
//	paths, err := cache.Ensure(ctx, "etcd", "kwok", "kwokctl")
//	...
//	exec.CommandContext(ctx, paths["kwokctl"], "create", "cluster")
//
// A tool is taken from PATH where one is found there that fits; else from the
// cache in the user's cache folder; else it is built into that cache, from the
// module folder beside this file that pins its version. Go and those folders
// are all that it takes.
//
// # What fits
//
//   - kube-apiserver, kube-controller-manager, kube-scheduler, kubeadm, kubectl,
//     etcd, kwok, kwokctl: the minor version that is pinned, any patch of it, no
//     alpha, beta or release candidate.
//   - pulumi: the pinned version or a later one of the same major version.
//   - pulumi-language-go: it cannot be asked for its version. It fits where it
//     lies beside the pulumi of PATH, if that one fits: both come out of one
//     release.
//   - pulumi-resource-kubernetes: it cannot be asked for its version either. It
//     fits in Pulumi's own plugin folder ($PULUMI_HOME/plugins or
//     ~/.pulumi/plugins), whose name carries exactly the pinned version. One on
//     PATH is not considered.
//   - oracle-1.34 and the others: only what was built from this checkout's source.
//
// # The cache
//
// A built tool lies in <cache>/<tool>/<version>-<key>/<tool>. The key is a hash
// of all that the binary is made from: the module folder's files, the package,
// the flags, GOOS and GOARCH. The release of Go is left out: it changes how a
// tool is compiled, not what it does, and an update of Go should not cost half
// an hour. So a second checkout builds nothing, and two checkouts that pin
// different versions do not disturb each other.
//
// A build writes to a folder of its own inside the cache, which is renamed once
// it is whole. A lock for each tool keeps two processes from building the same;
// what a killed build left behind is removed by the next one, under that lock.
package tools
