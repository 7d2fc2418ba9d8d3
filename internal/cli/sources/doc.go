// Package sources reads what the commands are told about a cluster, from where that is: files with a
// topology, with the nodes of a cluster or with the state of a Pulumi stack, the cluster itself, and
// the backend that keeps the state of a stack. [Source] is the way in.
//
// A cluster is asked by kubectl and a backend by pulumi, both from PATH: so whatever signs people in
// there does so here, and this module needs no client of its own.
package sources
