// Package tools provides the binaries that the lab runs: the Kubernetes control
// plane, etcd, KWOK, the Pulumi CLI with its Go language host, and Pulumi's
// Kubernetes provider; those that it needs for a program in another language: the
// language hosts; and those that only tests run: kubeadm, Helm, and the oracles,
// which say what API servers of several versions say to an object (see the folder
// oracle).
//
//	cache, err := tools.New(os.Stderr)
//	...
//	paths, err := cache.Ensure(ctx, "etcd", "kwok", "kwokctl")
//	...
//	exec.CommandContext(ctx, paths["kwokctl"], "create", "cluster")
//
// A tool is taken from PATH where one is found there that fits; else from the
// cache in the user's cache folder; else from an archive of ready-made tools, if
// one is recorded; else it is built into that cache, from the module folder beside
// this file that pins its version. Go and those folders are all that it takes.
//
// # What fits
//
//   - kube-apiserver, kube-controller-manager, kube-scheduler, kubeadm, kubectl,
//     etcd, kwok, kwokctl: the minor version that is pinned, any patch of it, no
//     alpha, beta or release candidate.
//   - pulumi, helm: the pinned version or a later one of the same major version.
//   - pulumi-language-go and the other language hosts: they cannot be asked for their
//     version. One fits where it lies beside the pulumi of PATH, if that one fits: they
//     come out of one release.
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
// The SHA-256 of the binary lies beside it, in the form that sha256sum checks. A
// cached binary is used only if its sum fits; one that has changed, or that an
// older version has left without a sum, is fetched or built again.
//
// Package debian unpacks programs that only tests run into the same cache, where the machine
// has apt-get and lacks them.
//
// # Building
//
// A first build compiles thousands of packages, so each is compiled once if that can
// be: the tools of the workspace shared.work are built by one go command, in the
// highest version of each module that one of them requires. What cannot be in it, as
// it needs another version of Pulumi, has the same versions of all else in its go.mod;
// so have the lab, the tests and the stacks' programs, which are compiled here too. The
// file goflags has the compiler's flags, the Makefile's as well: what was compiled with
// others would be compiled again. TestWhatMakeUpCompiles lists all of it.
//
// So a tool may have newer dependencies than its release. The provider differs most: it was
// released with the modules of Kubernetes 1.33, and is built with those of 1.36, and with a
// stand-in for a package that they no longer have (see its folder v2beta2). The other tools
// get newer versions of libraries; the modules of Kubernetes keep the tool's own minor
// version. With MIXEDKUBE_TOOLS_VERSIONS=released each tool is built by itself from its own
// go.mod, or from go.released.mod if there is one: those have the versions of the
// release. `make soak` runs the end-to-end and the differential tests with them.
//
// What was measured, and is not done: one binary for the programs of the control plane, as
// all links together take 20 of 770 seconds; two go commands at once, which would compile
// what they share twice; other settings of -p and -c, as two processors are busy for 95 %
// of the time as it is. GOGC=400 takes a seventh of the processor time off the compilers,
// for a fifth more memory in the largest of them.
//
// While it builds, a line says how many packages are compiled, and estimates the time
// that is left from weights.txt, what each took when that was last measured (`make
// bench-cold`). On a terminal the line changes; in a log there is one a minute.
//
// A build writes to a folder of its own inside the cache, which is renamed once
// it is whole. A lock for each tool keeps two processes from building the same;
// what a killed build left behind is removed by the next one, under that lock. What it
// had compiled is in Go's own cache, so that the next one continues from there.
//
// # Ready-made tools
//
// The file archives.json records, for each platform, an archive of tools that is
// attached to a release on GitHub: its SHA-256 and size, and of each tool in it
// the version, the key of its recipe, SHA-256 and size. What would have to be built
// is taken from there if the key is exactly the same. The archive is fetched into
// the cache and unpacked only if its sum is the recorded one; so is each binary put
// in its place. An archive that cannot be had, or is not the recorded one, is no
// reason to fail: a line says why, and the tools are built. While no archive is
// recorded for a platform, nothing is asked for.
//
// An archive whose first byte does not come within three seconds is given up, and a
// download that is silent for half a minute. MIXEDKUBE_TOOLS_URL names a
// mirror in place of https://github.com/mixedkube/mixedkube/releases/download, by
// http or https; the recorded sums hold for it, too. With "off" nothing is asked for.
//
// To record archives, a maintainer
//
//  1. tags a commit as tools-1, tools-2 and so on, and pushes the tag. The workflow
//     tools.yml builds the tools that [Cache.Pack] is called with for all platforms,
//     and attaches the archives to the release, with an archives.json that records them;
//  2. checks them: `GOFLAGS=-trimpath go run ./cmd/lab tools -pack DIR -release tools-1
//     -platform linux/arm64` in the folder internal/lab, on that commit, with an empty
//     cache and the same release of Go, writes the same record;
//  3. commits the release's archives.json in place of the one beside this file.
//
// The tools have tags of their own, because a release of the library can only
// record archives that are there before it. They need a new one only when a recipe
// has changed: until then, tools with another recipe than the recorded one are built.
package tools
