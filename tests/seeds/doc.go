// Package seeds holds the project to the guides of Kubernetes and of Windows that it comes
// from: each of their rows works, each limitation that they name is a rule or a sentence of
// the documentation, and each of their manifests is understood. What they say is data, in
// testdata.
package seeds
