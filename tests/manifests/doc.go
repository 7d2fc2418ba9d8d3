// Package manifests completes the manifests of public projects, as they are
// published, for clusters whose Windows pools have their taint and for clusters whose
// pools have none, and looks where the pods can land then.
//
// The manifests are those in Go modules that the lab needs anyway, at the versions
// and with the checksums that it has: Kubernetes, whose source brings those of its
// addons, CSI drivers and example applications, and KWOK. testdata has what became of
// each project, so that a change shows:
//
//	go test ./manifests -update
package manifests
