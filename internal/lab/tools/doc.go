// Package tools provides the binaries that the lab runs: the Kubernetes control
// plane, etcd, KWOK, the Pulumi CLI with its language hosts, and Pulumi's Kubernetes
// provider. Only tests run kubeadm, Helm, and the oracles, which compute what API
// servers and schedulers of several versions do with an object (see the directory oracle).
//
//	cache, err := tools.New(os.Stderr)
//	...
//	paths, err := cache.Ensure(ctx, "etcd", "kwok", "kwokctl")
//	...
//	exec.CommandContext(ctx, paths["kwokctl"], "create", "cluster")
//
// A tool comes from the first of these sources that has it:
//
//  1. PATH or Pulumi's plugin directory, if the version fits;
//  2. the cache in the user's cache directory;
//  3. an archive of ready-made tools, if one is recorded;
//  4. a build into the cache, from the module directory next to this file that pins its
//     version. It needs only Go and that directory.
//
// # Versions that fit
//
//   - kube-apiserver, kube-controller-manager, kube-scheduler, kubeadm, kubectl,
//     etcd, kwok, kwokctl: any release of the pinned minor version, but no alpha,
//     beta or release candidate.
//   - pulumi, helm: the pinned version or a later one of the same major version.
//   - pulumi-language-go and the other language hosts cannot print their version. A
//     host fits if it is in the directory of the pulumi on PATH and that pulumi fits:
//     both belong to one release.
//   - pulumi-resource-kubernetes cannot print its version either. It fits only in
//     Pulumi's plugin directory ($PULUMI_HOME/plugins or ~/.pulumi/plugins), if the name
//     of its own directory has exactly the pinned version.
//   - oracle-1.35 and the others: only what was built from this checkout's source.
//
// # The cache
//
// A built tool is <cache>/<tool>/<version>-<key>/<tool>, with its SHA-256 next to it in
// the format of sha256sum. A binary without a matching sum is fetched or built again.
//
// The key is a hash of everything that the binary is built from: the files of the module
// directory, the package, the flags, GOOS and GOARCH. So checkouts share tools with equal
// recipes, and do not interfere otherwise. The release of Go is not in the key: it does
// not change what a tool does, and an update of Go should not cost half an hour.
//
// Package debian unpacks programs that only tests run into the same cache, on a machine
// that has apt-get and lacks them.
//
// # Builds
//
// A first build compiles thousands of packages. To compile each only once where possible,
// one go command builds the tools of the workspace shared.work, with the highest version of
// each module that any of them requires. Tools that need another version of Pulumi have the
// same versions of all other modules in their go.mod, like the lab, the tests and the
// stacks' programs. All builds, and the Makefile, use the compiler's flags in the file
// goflags: with other flags, Go compiles everything again. TestPackagesCompiledByMakeUp lists all
// packages.
//
// So a tool can have newer dependencies than its release. The provider differs most: it was
// released with the modules of Kubernetes 1.33, and is built with those of 1.36, and with a
// stand-in for a package that they no longer have (see its directory v2beta2). The other tools
// keep the Kubernetes modules of their own minor version. With
// MIXEDKUBE_TOOLS_VERSIONS=released each tool is built separately with the versions of its
// release, from go.released.mod if there is one, otherwise from go.mod. `make soak` tests
// these tools end to end and with the differential tests.
//
// GOGC=400 saves a seventh of the compilers' processor time, for a fifth more memory in the
// largest of them. Measurements ruled out one binary for the control plane (all links take
// 20 of 770 seconds), two go commands at once (they would compile shared packages twice),
// and other settings of -p and -c (two processors are already busy for 95 % of the time).
//
// The progress estimates the remaining time from weights.txt, the times of the last
// measurement (`make bench-cold`). A terminal updates the line; a log gets one a minute.
//
// A build writes to its own directory inside the cache and renames it when it is complete. It
// holds a lock for each tool, and first removes what a killed build has left. Packages that
// a killed build has compiled stay in Go's own cache.
//
// # Ready-made tools
//
// The file archives.json records an archive for each platform, which is attached to a
// release on GitHub: its SHA-256 and size, and the version, key, SHA-256 and size of each
// tool in it. A missing tool comes from the archive if the key is the same. The archive and
// its binaries are used only if their sums are the recorded ones; otherwise a line shows
// why, and the tools are built. Without a recorded archive no request is sent.
//
// A download fails if its first byte takes more than three seconds, or if no data arrives
// for half a minute. MIXEDKUBE_TOOLS_URL replaces
// https://github.com/mixedkube/mixedkube/releases/download by the http or https address of a
// mirror, which must serve the same sums. With "off" no request is sent.
//
// To record archives, a maintainer
//
//  1. tags a commit as tools-1, tools-2 and so on, and pushes the tag. The workflow
//     tools.yml packs the tools for all platforms (see [Cache.Pack]) and attaches the
//     archives to the release, with an archives.json that records them;
//  2. checks them: `GOFLAGS=-trimpath go run ./cmd/lab tools -pack DIR -release tools-1
//     -platform linux/arm64` in the directory internal/lab, on that commit, with an empty
//     cache and the same release of Go, writes the same record;
//  3. commits the release's archives.json instead of the one next to this file.
//
// The tools have their own tags, because a release of the library can only record existing
// archives. A changed recipe needs a new tag; until then, its tools are built.
package tools
