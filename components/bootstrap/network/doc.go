// Package network plans the pod network of a mixed cluster: which range of addresses
// the pods of each node have, which routes lead there, and what the nodes and the
// network around them need to be told. It is pure: it computes, and touches nothing.
//
// A [Network] says which [Kind] it is and which ranges it has; [Network.Plan] computes
// the rest for given nodes.
package network
