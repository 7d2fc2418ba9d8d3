// Package plan says what a self-managed cluster on Azure virtual machines consists of:
// its machines with their names, its subnets, the flows that its security groups let in,
// and what is wrong with its description. Package components/kubeadm makes it; the lab
// compares it with what is there.
//
// It is pure: it knows nothing of Pulumi.
package plan
