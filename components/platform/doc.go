// Package platform says what an operating system release is to a mixed
// Kubernetes cluster: Linux, or one release of Windows Server.
//
// It answers five questions:
//
//   - Which platforms are there, and what are they called? ([All], [Parse])
//   - What is known about a Windows release: build, channel, container tags,
//     end of support? ([Platform.Release], [ByBuild])
//   - What is an image made for, as far as its name tells, or as its registry
//     says? ([FromImage], [FromFacts])
//   - Does an image run on a host? ([CanRun])
//   - With which tag does Microsoft publish an image for another release?
//     ([PublishedTag])
//
// "Unknown" is an answer here, and it is never an error: nginx and a private
// Windows image look alike by name. Code that reports findings must stay
// silent on unknown.
//
// What belongs in here: facts about operating systems and images that hold on
// every cluster. What does not: node pools, labels and taints (package
// topology), rules about Kubernetes objects (package preflight), what a cloud
// offers in which version (package aks). The package is pure: it reads
// nothing, registers nothing, keeps no state, and imports neither Pulumi nor
// Kubernetes. A new Windows release is one constant and one row in the table
// of release.go; until when Microsoft supports it, and the images that it publishes
// for it, in internal/facts.
package platform
