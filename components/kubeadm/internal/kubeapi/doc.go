// Package kubeapi sends requests to a Kubernetes API server over HTTPS: the few requests that a
// Pulumi program makes itself because their objects must not be in its state. It replaces
// client-go, which would become a dependency of every program that imports a component.
package kubeapi
