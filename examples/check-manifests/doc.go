// Command check-manifests runs preflight over Kubernetes manifests: files, folders
// and standard input. It is what a team puts into its CI for manifests that are
// not in Pulumi, or not yet; README.md says how.
//
//	check-manifests [-k8s 1.36] [-topology FILE] [-format text|json|sarif] [-strict] PATH…
//
// Without a topology an error is only what fails on every cluster.
package main
