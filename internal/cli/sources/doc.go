// Package sources reads the topology and the objects of a cluster: from files with a topology, with the nodes of a
// cluster or with the state of a Pulumi stack, from the cluster itself, and from the backend that keeps the state of a
// stack. Start with [Source].
//
// It runs kubectl and pulumi from PATH to read the cluster and the backend. So the user's own sign-in works, and this
// module needs no client.
package sources
