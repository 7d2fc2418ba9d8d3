// Package kubeapi asks a Kubernetes API server over HTTPS: the few requests that a program of
// Pulumi makes itself, of which nothing is to be in its state. It stands in for client-go, which
// would be a dependency of everybody who imports a component.
package kubeapi
