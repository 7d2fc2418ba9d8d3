// Package platform describes the operating system releases of a mixed Kubernetes cluster: Linux, or a release of
// Windows Server.
//
// It answers five questions:
//
//   - Which platforms exist, and what are their names? ([All], [Parse])
//   - What is known about a Windows release: build, channel, container tags,
//     end of support? ([Platform.Release], [ByBuild])
//   - Which platform is an image for, according to its name or its registry?
//     ([FromImage], [FromFacts])
//   - Does an image run on a host? ([CanRun])
//   - With which tag does Microsoft publish an image for another release?
//     ([PublishedTag])
//
// "Unknown" is a valid answer, never an error: the names of nginx and of a private Windows image look alike. Code that
// reports findings must not report anything for unknown.
//
// This package contains facts about operating systems and images that are true on every cluster. It does not contain
// node pools, labels and taints (package topology), rules about Kubernetes objects (package preflight), or what a cloud
// offers in which version (package aks). The package is pure: it reads nothing, registers nothing, keeps no state, and
// imports neither Pulumi nor Kubernetes. A new Windows release needs one constant and one row in the table of
// release.go. The end of its support and the images that Microsoft publishes for it are in internal/core/facts.
package platform
