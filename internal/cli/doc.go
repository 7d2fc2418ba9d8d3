// Package cli has the commands of mixedkube: check, adopt, explain, topology, map, images, join, policy,
// version and completion. [Run] runs a command line. docs/command.md explains them to their users.
//
// A command is a constructor (newCheck, newAdopt and so on) that declares its flags, and a function
// that works with what they say. Names of files go through input, which also knows the dash for
// standard input; what the file .mixedkube.yaml says is a configuration, which flags override. Package
// sources reads clusters and runs other programs. Findings, and the errors of check and adopt, go
// through oneLine, so that no name of a file or an object can write a line of its own.
package cli
