// Package tools provides the binaries that the lab runs: the Kubernetes control
// plane, etcd, KWOK, the Pulumi CLI with its Go language host, and Pulumi's
// Kubernetes provider. Programs in other languages also need their language hosts.
// Only tests run kubeadm, Helm, and the oracles, which return what API servers of
// several versions answer to an object (see the folder oracle).
//
//	cache, err := tools.New(os.Stderr)
//	...
//	paths, err := cache.Ensure(ctx, "etcd", "kwok", "kwokctl")
//	...
//	exec.CommandContext(ctx, paths["kwokctl"], "create", "cluster")
//
// A tool comes from the first of these sources that has it:
//
//  1. PATH or Pulumi's plugin folder, if the version fits;
//  2. the cache in the user's cache folder;
//  3. an archive of ready-made tools, if one is recorded;
//  4. a build into the cache, from the module folder next to this file that pins its version.
//
// A build needs only Go and those folders.
//
// # Versions that fit
//
//   - kube-apiserver, kube-controller-manager, kube-scheduler, kubeadm, kubectl,
//     etcd, kwok, kwokctl: any patch release of the pinned minor version, but no
//     alpha, beta or release candidate.
//   - pulumi, helm: the pinned version or a later one of the same major version.
//   - pulumi-language-go and the other language hosts: these cannot print their
//     version. A host fits if it is in the folder of the pulumi on PATH and that
//     pulumi fits, because both belong to one release.
//   - pulumi-resource-kubernetes: it cannot print its version either. It fits only in
//     Pulumi's own plugin folder ($PULUMI_HOME/plugins or ~/.pulumi/plugins), if the
//     name of its folder has exactly the pinned version.
//   - oracle-1.34 and the others: only what was built from this checkout's source.
//
// # The cache
//
// A built tool is <cache>/<tool>/<version>-<key>/<tool>. The key is a hash of
// everything that the binary is made from: the files of the module folder, the package,
// the flags, GOOS and GOARCH. It leaves out the release of Go, which changes how a
// tool is compiled but not what it does: an update of Go should not cost half an hour.
// So a second checkout builds nothing, and checkouts with different versions do not
// interfere with each other.
//
// The SHA-256 of the binary is in a file next to it, in the format of sha256sum. A cached
// binary without a matching sum is not used: it is fetched or built again.
//
// Package debian unpacks programs that only tests run into the same cache, on a machine
// that has apt-get and lacks them.
//
// # Builds
//
// A first build compiles thousands of packages, most of them only once: one go command
// builds the tools of the workspace shared.work, with the highest version of each module
// that any of them requires. Tools that need another version of Pulumi are outside of the
// workspace and have the same versions of all other modules in their go.mod. The same is true
// of the lab, the tests and the stacks' programs, which are compiled here too. The file goflags
// has the compiler's flags, which the Makefile also uses: with other flags, Go would compile
// everything again. TestWhatMakeUpCompiles lists all packages.
//
// So a tool can have newer dependencies than its release. The provider differs most: it was
// released with the modules of Kubernetes 1.33, and is built with those of 1.36, and with a
// stand-in for a package that they no longer have (see its folder v2beta2). The other tools
// get newer versions of libraries, but keep the Kubernetes modules of their own minor
// version. With MIXEDKUBE_TOOLS_VERSIONS=released each tool is built separately with the
// versions of its release, from its go.released.mod if it has one, otherwise from its
// go.mod. `make soak` runs the end-to-end and the differential tests with these tools.
//
// GOGC=400 saves a seventh of the compilers' processor time, for a fifth more memory in the
// largest of them. Measurements ruled out other changes: one binary for the control plane
// (all links together take 20 of 770 seconds), two go commands at once (they would compile
// shared packages twice), and other settings of -p and -c (two processors are already busy
// for 95 % of the time).
//
// During a build, a line shows how many packages are compiled and estimates the remaining
// time from weights.txt, the times of the last measurement (`make bench-cold`). A
// terminal updates the line; a log gets one a minute.
//
// A build writes to its own folder inside the cache and renames it when it is complete. A
// lock for each tool prevents two processes from building the same tool; under that lock, a
// build removes what a killed build has left. The packages that a killed build has compiled
// are in Go's own cache, so the next build continues from there.
//
// # Ready-made tools
//
// The file archives.json records, for each platform, an archive of tools that is
// attached to a release on GitHub: its SHA-256 and size, and for each tool in it the
// version, recipe key, SHA-256 and size. A missing tool comes from the archive if the key
// is exactly the same. The archive, and each binary in it, is used only if its sum is the
// recorded one. If the archive is not available or differs, a line shows why, and the tools
// are built. If no archive is recorded for a platform, no request is made.
//
// A download fails if its first byte does not arrive within three seconds, or if no data
// arrives for half a minute. MIXEDKUBE_TOOLS_URL replaces
// https://github.com/mixedkube/mixedkube/releases/download by the http or https address of a
// mirror; the recorded sums apply to a mirror, too. With "off" no request is made.
//
// To record archives, a maintainer
//
//  1. tags a commit as tools-1, tools-2 and so on, and pushes the tag. The workflow
//     tools.yml builds the tools that [Cache.Pack] is called with for all platforms,
//     and attaches the archives to the release, with an archives.json that records them;
//  2. checks them: `GOFLAGS=-trimpath go run ./cmd/lab tools -pack DIR -release tools-1
//     -platform linux/arm64` in the folder internal/lab, on that commit, with an empty
//     cache and the same release of Go, writes the same record;
//  3. commits the release's archives.json instead of the one next to this file.
//
// The tools have their own tags, because a release of the library can only record existing
// archives. A new tag is only necessary after a recipe has changed: until then, tools with
// another recipe than the recorded one are built.
package tools
