// Mixedkube checks and completes manifests for Kubernetes clusters with Linux and Windows nodes, and makes
// machines nodes of such a cluster. Its module is also a library for Pulumi, which creates these clusters and
// what runs in them.
//
//	mixedkube check deploy/                              # find what goes wrong with Windows
//	mixedkube adopt --topology cluster.yaml -w deploy/   # complete manifests
//	mixedkube explain MK118                              # explain a finding
//	mixedkube topology --live                            # describe a cluster
//	mixedkube map --topology cluster.yaml deploy/        # draw a cluster
//	mixedkube images lock deploy/                        # look up images in their registries
//	mixedkube join machines.yaml                         # create a cluster of your own machines
//	mixedkube policy new policy                          # check Pulumi programs in any language
//
// docs/command.md describes each command. The rest of this page is a map of the module.
//
// # Packages to import
//
// The page of each package lists its constructors and has an example that you can run. docs/stability.md
// lists the packages that are promised; the others may change. These have the terms that all others use:
//
//   - core/platform: Linux, or a release of Windows Server, and which image runs on which host.
//   - core/topology: the version of a cluster and its node pools, with labels and taints.
//   - components/stackoutput: a topology as an output of a stack, for the programs of other stacks.
//   - core/value: marks for values that are not known yet, or that are secret.
//
// To run something in an existing cluster:
//
//   - components/workload: Deployments, Jobs and the other workloads, each for a platform.
//   - components/runtimeclass: a RuntimeClass for each Windows release.
//   - components/manifest: YAML files and Helm charts, completed for mixed clusters.
//   - core/conversion: completes manifests without Pulumi.
//   - components/hostprocess: programs that run on the Windows nodes themselves, such as kube-proxy.
//   - components/gmsa: pods that run as a Group Managed Service Account of Active Directory.
//   - components/logmonitor: the logs of Windows containers on their standard output.
//   - components/connectivity: checks that Linux and Windows pods reach each other.
//
// To create a cluster:
//
//   - components/aks: on Azure Kubernetes Service.
//   - core/aks/plan: the rules of AKS, without Pulumi.
//   - core/aks/support: which versions and Windows releases AKS supports, and until when.
//   - components/kubeadm: on virtual machines in Azure.
//   - machines/kubeadm/examples: an example of each rule about such a cluster.
//   - machines/kubeadm/plan: the machines, subnets and rules of such a cluster, without Pulumi.
//   - machines/kubeadm/pki: its keys and certificates.
//   - machines/bootstrap: on machines from anywhere: the files that make a machine a node.
//   - machines/bootstrap/network: the network of the pods.
//
// To find mistakes before you deploy:
//
//   - core/preflight: the rules about Windows on Kubernetes, for plain objects.
//   - components/guard: the same rules for all resources of a Pulumi program.
//   - core/rule: the types of a rule and of a finding.
//   - core/report: the findings of a program or of files as JSON, SARIF, JUnit and GitLab's code quality,
//     and which of them a team has accepted.
//   - core/images: the lock file with what registries say about images.
//   - system/registry: the client that asks the registries.
//
// To test a program without an engine and without a cloud:
//
//   - components/mocktest: runs a program, and shows what it registers.
//   - components/mocktest/change: what a provider changes in place and what it replaces.
//   - components/aks/akstest: stands in for Azure in tests of programs with AKS clusters.
//   - components/kubeadm/kubeadmtest: stands in for Azure in tests of programs with package kubeadm.
//   - components/guard/guardtest: returns what a preview with the guard reports.
//   - core/rule/ruletest: tests that a package lists all rules that it declares.
//
// # Directories
//
//   - core: packages that decide, without Pulumi and without files.
//   - machines: packages that turn machines into nodes.
//   - system: packages that use the network.
//   - components: packages that register resources, and packages for tests of programs.
//   - examples: a short program for each task. Copy one: it imports only what you can import.
//   - docs: a page for each task. docs/rules explains each rule.
//   - site: the configuration of the site that `make site` builds from these pages.
//   - stacks: the two programs of `make up` with their configurations. Change a configuration to change the
//     cluster.
//   - internal: packages that other modules cannot import, listed below.
//   - ci: the script that checks manifests in a pipeline, for GitHub, GitLab and pre-commit.
//   - tests: a Go module of its own, which compares the packages with the real Kubernetes and with the guides
//     of Kubernetes and Windows.
//
// # Internal packages
//
// The directory of a package is its floor: internal/testkit is the lowest, then core, machines, system and
// components with their private halves below internal, then the other directories of internal. A package imports
// from its own floor and from lower ones: the tests in tests/architecture fail if an import points up.
//
//   - internal/core: the private half of core.
//   - internal/core/pods: reads the pods of an object of any kind, and which operating system they are for.
//   - internal/core/placement: says on which pools a pod can run, and why not on the others.
//   - internal/core/mutate: decides which fields pods need to land on the nodes of their operating system.
//   - internal/core/landings: says in words where the pods of workloads can land.
//   - internal/core/manifests: reads and edits texts with manifests.
//   - internal/core/manifests/repository: what the files of a repository are, and which are for one cluster.
//   - internal/core/manifests/helmchart: the objects that Pulumi's resources for Helm charts hide.
//   - internal/core/value/tree: an object as plain maps and lists.
//   - internal/core/value/placeholder: texts that another program replaces before the API server sees an object.
//   - internal/core/value/treetest: marks in texts, for tests.
//   - internal/core/fielderrors: errors with the path of a field, sorted, and suggestions for misspelled words.
//   - internal/core/fielderrors/escape: makes texts of strangers harmless for terminals, agents of CI services and
//     viewers.
//   - internal/core/preflight/credspec: what a credential spec of Windows must have.
//   - internal/core/aks/examples: examples of the rules about clusters on AKS.
//   - internal/core/preflight/examples: an example of each rule about manifests, and its findings.
//   - internal/core/rule/aged: the problem of old facts.
//   - internal/core/rule/engine: rules with their checks, and the loop that runs them.
//   - internal/core/rule/rulepages: the page of docs/rules for each rule.
//   - internal/core/facts: defaults and tables that become outdated, each with its source.
//   - internal/core/facts/azuretypes: the types of Azure in azure-native.
//   - internal/core/facts/kubeversion: minor versions of Kubernetes.
//   - internal/core/facts/lives: when each fact was looked up, and until when that counts.
//   - internal/core/facts/noderoom: how much CPU and memory of a node its pods get.
//   - internal/core/facts/vm: sizes of virtual machines, and the administrators that Azure accepts.
//
// What uses files, the network or other programs:
//
//   - internal/system: the private half of system.
//   - internal/system/userfiles: finds the files of users, and reads and writes them with package disk.
//   - internal/system/clock: tells the day.
//   - internal/system/clock/clocktest: fixes the day of tests.
//   - internal/system/disk: opens and replaces files; no other package does.
//   - internal/system/executable: writes programs that can start at once.
//   - internal/system/hosts: decides which hosts get requests.
//   - internal/system/loopback: tells the connections to a port on 127.0.0.1 apart, and refuses those of other users.
//
// What components share:
//
//   - internal/components: the private half of components.
//   - internal/components/input: converts Pulumi's inputs to plain values, and back.
//   - internal/components/refusal: the errors of a component that refuses its arguments.
//   - internal/components/childoptions: gives each child of a component its options.
//   - internal/components/advice: messages of components about their pods.
//   - internal/components/parts: marks workloads that are parts of another component.
//   - internal/components/provided: outputs that a provider always returns.
//   - internal/components/stackstate: reads the state of the stack.
//   - internal/components/kubeadm/eviction: evicts the pods of a node before its machine is deleted.
//
// Programs, which no lower floor imports:
//
//   - internal/cli: the commands.
//   - internal/policy: the policy pack, which checks Pulumi programs in any language.
//   - internal/clustermap: draws a cluster.
//   - internal/svg: draws pictures of boxes, lines and texts.
//   - internal/provider: the components for programs in languages other than Go. A separate Go module.
//   - internal/azuresim: the simulated Azure. A Go module of its own; its README.md is its map.
//   - internal/lab: a cluster on your machine, with simulated nodes. A Go module of its own.
//   - internal/release: creates the container image of a release. A Go module of its own.
//
// Helpers of tests:
//
//   - internal/testkit: the packages that only tests and simulations import.
//   - internal/testkit/badinput: calls a function with bad arguments.
//   - internal/testkit/benchtest: runs benchmarks once.
//   - internal/testkit/casetest: reads the cases of a test from YAML files.
//   - internal/testkit/golden: compares a text with a file.
//   - internal/testkit/payload: decrypts the secrets that a machine gets.
//
// # Where to begin
//
// To add a rule, write a variable and a check in core/preflight, and a wrong and a right manifest below
// its testdata; then `make generate` writes the page. To add an example, add a directory to examples, with a test
// beside the program. To add a flag, add a line to internal/cli and a row to docs/command.md. The tests tell you
// what is missing. A file that begins with "Written by" is generated by the command that it names: change its
// source instead.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/mixedkube/mixedkube/internal/cli"
)

// gcPercent makes adopt of 60,000 objects take a fifth less memory, for a tenth more processor time. The environment
// variable GOGC overrides it.
const gcPercent = 60

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	code := cli.RunAs(context.Background(), os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	os.Exit(code) //nolint:forbidigo // only main ends the program
}
