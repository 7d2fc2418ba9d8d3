// Command mixedkube brings manifests and machines into a Kubernetes cluster with Linux and Windows
// nodes. Its module is a library for Pulumi that makes such clusters and what runs in them.
//
//	mixedkube check deploy/                              # find what goes wrong with Windows
//	mixedkube adopt --topology cluster.yaml -w deploy/   # complete manifests
//	mixedkube explain MK118                              # say more about a finding
//	mixedkube topology --live                            # describe a cluster
//	mixedkube images lock deploy/                        # look up what images are
//	mixedkube join machines.yaml                         # make a cluster of your own machines
//	mixedkube policy new policy                          # check Pulumi programs in any language
//
// The rest of this page is the map of the house.
//
// # The library
//
// Import these; each package's own page has its constructors and an example. First the words that
// the others speak:
//
//   - components/platform: Linux, or a release of Windows Server; which image runs on which host.
//   - components/topology: the cluster's version and its node pools, with labels and taints.
//   - components/stackoutput: a topology as an output of a stack, and from one.
//   - components/value: the marks for values that are not known yet, or secret.
//
// To run something in a cluster that is there:
//
//   - components/workload: Deployments, Jobs and the other workloads, each on a platform.
//   - components/runtimeclass: a RuntimeClass for each Windows release.
//   - components/manifest: YAML files and Helm charts, completed for mixed clusters.
//   - components/hostprocess: programs of the Windows nodes themselves, kube-proxy for example.
//   - components/gmsa: pods that run as a group managed service account of Active Directory.
//   - components/logmonitor: the logs of Windows containers on their standard output.
//   - components/connectivity: checks that Linux and Windows reach each other.
//
// To make a cluster:
//
//   - components/aks: on Azure Kubernetes Service; its folder plan has what AKS asks for.
//   - components/kubeadm: on virtual machines in Azure; its folders plan and pki have what it
//     consists of, and its keys.
//   - components/bootstrap: on machines from anywhere, as files; its folder network plans the
//     network of the pods.
//
// To find mistakes before they are deployed:
//
//   - components/preflight: the rules about Windows on Kubernetes, over plain objects.
//   - components/guard: these rules over all resources of a Pulumi program.
//   - components/images: what registries have said about images, in a lock file; its folder
//     registry asks them.
//   - components/rule: what a rule and a finding are.
//   - components/report: all findings of a program or of files, as a value, as JSON and SARIF, and
//     what is done about them: ignores and the baseline.
//   - components/mocktest: a Pulumi program in a unit test, without an engine or a cloud.
//
// What only they share: components/internal/childoptions, which hands the options of a component to
// the children that they are for.
//
// # The rest of the house
//
//   - examples: a short program for each task. Copy one; it imports only what you can import.
//   - docs: a page for each task. docs/command.md explains the commands.
//   - stacks: the two programs of `make up`, and their configurations. Change a configuration
//     to change the cluster that they make.
//   - internal: what the packages above share. Its heights are the list of layers in
//     tests/architecture, whose tests fail for an import that points upwards. internal/cli has
//     the commands. Modules of their own are the lab, which is the cluster on your machine
//     (internal/lab), the simulated Azure (internal/azuresim), and what becomes the container image
//     of a release (internal/release).
//   - ci: the script that checks manifests in a pipeline, for GitHub, GitLab and pre-commit.
//   - tests: a module of its own, which holds all of it against the real Kubernetes, and
//     against the guides that it comes from.
//
// # What a newcomer may touch
//
// A new rule is a variable and a check in components/preflight, with a wrong and a right manifest
// below its testdata; `make generate` writes the catalogue. A new example is a folder of examples
// with a test beside it. A new flag is a line in internal/cli and a row in docs/command.md. For all
// of these the tests say what is missing. Files that begin with "Written by"
// are written by the command that they name: change its source instead.
package main

import (
	"context"
	"os"

	"github.com/mixedkube/mixedkube/internal/cli"
)

func main() {
	code := cli.RunAs(context.Background(), os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	os.Exit(code) //nolint:forbidigo // only main ends the program
}
