package tools

import (
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// tool describes how one binary is built, and which existing binaries can replace it.
type tool struct {
	name string

	// dir is the module directory below internal/lab/tools, pkg the main
	// package as `go build` takes it there.
	dir, pkg string

	// modfile is the module file to build with, if it is not the directory's
	// go.mod: this is for one program with several versions of its requirements.
	modfile string

	// shared tools are built together, with one version of each module (see the file
	// shared.work). raised tools require newer modules than their release; the versions of the
	// release are in go.released.mod, or next to the modfile. See [graph].
	shared, raised bool

	// pin is the module whose version in the module file is the tool's version. If that version is a commit, release
	// has the release that it belongs to.
	pin     string
	release release

	// stamp returns the string variables (-X) that set the version of the binary.
	stamp func(version string) []string

	// embed names files that the main package embeds and its directory lacks.
	embed embed

	// find looks for the tool outside of the cache; fits is the rule for its version, ask has
	// the arguments that print the version, and answer is the text before the version in that
	// line.
	find   finder
	fits   rule
	ask    []string
	answer string

	// siblings names files that the tool needs next to its binary.
	siblings embed

	// forTests is true if only tests need the tool, and no command of the lab does.
	forTests bool

	// language is true for a host of programs in a language other than Go: it is needed
	// only to run such a program.
	language bool

	// install is how else to get the tool, if putting it on PATH is not enough.
	install string
}

// release maps a commit to its release.
type release struct{ commit, version string }

// embed is a set of files in a directory of a module that the tool's own directory
// requires. Without a module it is empty.
type embed struct {
	module, dir string
	files       []string
}

// table lists the tools, in the best order to build them: tools that
// share packages follow each other.
func table() []tool {
	return []tool{
		{
			name: "etcd", dir: "etcd", pkg: modulePath + "/internal/lab/tools/etcd", shared: true,
			pin:  "go.etcd.io/etcd/server/v3",
			find: onPath, fits: sameMinor, ask: []string{"--version"}, answer: "etcd Version: ",
		},
		kubernetes("kube-apiserver", "Kubernetes ", "--version"),
		kubernetes("kube-controller-manager", "Kubernetes ", "--version"),
		kubernetes("kube-scheduler", "Kubernetes ", "--version"),
		onlyTests(kubernetes("kubeadm", "", "version", "--output", "short")),
		// kwokctl calls it.
		kubernetes("kubectl", "Client Version: ", "version", "--client"),
		kwok("kwok"),
		kwok("kwokctl"),
		{
			name: "pulumi", dir: "pulumi", shared: true,
			pkg: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", pin: "github.com/pulumi/pulumi/pkg/v3",
			stamp: pulumiStamp,
			find:  onPath, fits: atLeast, ask: []string{"version"},
		},
		languageOfSDK("go", "go/pulumi-language-go"),
		{
			name: "pulumi-resource-kubernetes", dir: "pulumi-resource-kubernetes", pkg: ".", raised: true,
			pin:     "github.com/pulumi/pulumi-kubernetes/provider/v4",
			release: release{commit: "v4.0.0-20260115033456-f47bc2d6f199", version: "v4.25.0"},
			stamp: func(version string) []string {
				return []string{"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version.Version=" + version[1:]}
			},
			embed: embed{
				module: "github.com/pulumi/pulumi-kubernetes/provider/v4",
				dir:    "cmd/pulumi-resource-kubernetes",
				files:  []string{"schema.json", "terraform-mapping.json"},
			},
			find: inPluginDir, fits: exactly, install: "run `pulumi plugin install resource kubernetes v4.25.0`",
		},
		otherLanguage(languageOfSDK("nodejs", "nodejs/cmd/pulumi-language-nodejs")),
		pythonLanguage(),
		otherLanguage(yamlLanguage()),
		helm(),
		oracle("1.35", "v1.35.mod"),
		sharedOracle("1.36"),
		oracle("1.37", "v1.37.mod"),
	}
}

func onlyTests(t tool) tool {
	t.forTests = true
	return t
}

// oracles is the directory of the oracles, and the prefix of their names.
const oracles = "oracle"

// oracle returns the tool that computes what an API server of a minor version of Kubernetes answers
// to an object, and where its scheduler places a pod. Only tests use it.
func oracle(minor, modfile string) tool {
	return tool{
		name: oracles + "-" + minor, dir: oracles, pkg: ".", modfile: modfile, pin: "k8s.io/kubernetes",
		raised: true, forTests: true, find: nowhere,
		install: "run the other tests alone: `make unit`, `go -C tests test ./e2e/...`",
	}
}

// sharedOracle returns the oracle of the version of the lab's control plane.
func sharedOracle(minor string) tool {
	t := oracle(minor, "")
	t.shared, t.raised, t.pkg = true, false, modulePath+"/internal/lab/tools/"+oracles
	return t
}

// OfLab lists the tools that the lab's commands need for stacks whose program is in Go.
func OfLab() []string { return named(func(t tool) bool { return !t.forTests && !t.language }) }

// Oracles lists the tools that compute what API servers and schedulers do with an object, one for
// each minor version of Kubernetes, the oldest first.
func Oracles() []string { return named(func(t tool) bool { return t.dir == oracles }) }

func named(which func(tool) bool) []string {
	return names(slices.DeleteFunc(table(), func(t tool) bool { return !which(t) }))
}

// KubernetesStamps returns the variables that set the version of a Kubernetes program,
// v1.36.3 for example, in the format of the linker's flag -X. Without them the binaries
// report the version v0.0.0-master+$Format:%H$, which clients cannot parse.
func KubernetesStamps(version string) []string {
	major, minor, _ := strings.Cut(semver.MajorMinor(version), ".")
	return []string{
		"k8s.io/component-base/version.gitVersion=" + version,
		"k8s.io/component-base/version.gitMajor=" + strings.TrimPrefix(major, "v"),
		"k8s.io/component-base/version.gitMinor=" + minor,
		"k8s.io/client-go/pkg/version.gitVersion=" + version,
	}
}

// kubernetes returns a command of Kubernetes.
func kubernetes(name, answer string, ask ...string) tool {
	return tool{
		name: name, dir: "kubernetes", shared: true, pkg: "k8s.io/kubernetes/cmd/" + name, pin: "k8s.io/kubernetes",
		stamp: KubernetesStamps,
		find:  onPath, fits: sameMinor, ask: ask, answer: answer,
	}
}

// kwok returns a command of KWOK.
func kwok(name string) tool {
	return tool{
		name: name, dir: "kwok", shared: true, pkg: "sigs.k8s.io/kwok/cmd/" + name, pin: "sigs.k8s.io/kwok",
		stamp: func(version string) []string { return []string{"sigs.k8s.io/kwok/pkg/consts.Version=" + version} },
		find:  onPath, fits: sameMinor, ask: []string{"--version"}, answer: name + " version ",
	}
}

// helm returns Helm, which renders charts. Its minor version is the one that requires the lab's Kubernetes modules.
func helm() tool {
	return tool{
		name: "helm", dir: "helm", raised: true, forTests: true,
		pkg: "helm.sh/helm/v4/cmd/helm", pin: "helm.sh/helm/v4",
		stamp: func(version string) []string { return []string{"helm.sh/helm/v4/internal/version.version=" + version} },
		find:  onPath, fits: atLeast, ask: []string{"version", "--short"},
	}
}

// pulumiStamp sets the version of the CLI, which the Automation API could not parse otherwise.
func pulumiStamp(version string) []string {
	return []string{"github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=" + version}
}
