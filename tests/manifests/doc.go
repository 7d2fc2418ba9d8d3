// Package manifests completes the published manifests of public projects for clusters
// with and without a taint on their Windows pools, and checks where the pods can land
// then.
//
// The manifests are from Go modules that the lab needs anyway, at the versions and with
// the checksums that the lab uses: Kubernetes, whose source includes the manifests of its
// addons, CSI drivers and example applications, and KWOK. testdata has the result for
// each project, so that a change is visible:
//
//	go test ./manifests -update
package manifests
