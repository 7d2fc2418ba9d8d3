// Package plan computes the parts of a self-managed cluster on Azure virtual machines: its machines
// with their names, its subnets, and the flows that its security groups let in. It also checks the
// description of the cluster. Package components/kubeadm creates the cluster; the lab compares the
// plan with the existing resources.
//
// It is pure and does not use Pulumi.
package plan
