// Package sources reads what is known about a cluster: from files with a topology, with the nodes of a
// cluster or with the state of a Pulumi stack, from the cluster itself, and from the backend that keeps
// the state of a stack. Start with [Source].
//
// kubectl asks the cluster, and pulumi the backend, both from PATH. So the user's own sign-in works, and
// this module needs no client.
package sources
