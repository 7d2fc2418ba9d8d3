// Package cli has the commands of mixedkube: check, adopt, explain, topology, map, images, join, policy,
// version and completion. [Run] runs a command line. docs/command.md explains them to their users.
//
// A command is a constructor (newCheck, newAdopt and so on) that declares its flags, and a function that runs with
// their values. The commands open files through input, which also reads standard input for a dash. The file
// .mixedkube.yaml becomes a configuration, which flags override. Package sources reads clusters and runs other
// programs. Package kustomize builds kustomizations, whose objects are checked in place of the files that they read:
// builds.go. All output goes through line.go, so that no name of a file or an object can write a line of its own, or
// command a terminal or the agent of a CI service.
package cli
