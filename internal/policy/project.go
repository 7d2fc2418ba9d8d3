package policy

import (
	"path/filepath"
	"strings"
)

// Program is the name of the program that the engine looks for on PATH and among the plugins.
const Program = "pulumi-analyzer-policy-mixedkube"

// IsProgram reports whether a program runs under the name of the pack.
func IsProgram(name string) bool {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".exe") == Program
}

// The files in the directory of a pack.
const (
	// ProjectFile makes a directory a policy pack.
	ProjectFile = "PulumiPolicy.yaml"
	// TopologyFile is the topology of the cluster if the pack is configured without one.
	TopologyFile = "topology.yaml"
)

// Project is the content of ProjectFile.
const Project = `# The rules of mixedkube as a Pulumi policy pack. The plugin
# policy-mixedkube must be installed. Configure the pack with pulumi preview --policy-pack-config FILE.
description: Find errors with Windows on Kubernetes before you deploy
runtime: mixedkube
`
