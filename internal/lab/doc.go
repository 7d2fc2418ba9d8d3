// Package lab runs all of mixedkube on one machine: a real Kubernetes control
// plane with simulated Linux and Windows nodes, and the ordinary Pulumi CLI that
// deploys a stack of this repository into it. It is a simulation: no container
// ever runs.
//
// The rooms of the lab:
//
//   - tools finds, fetches or builds the pinned binaries;
//   - cluster is the simulated cluster;
//   - deploy runs Pulumi;
//   - status judges where the pods are;
//   - processes knows what was started, so that nothing is left behind;
//   - azurenodes lets the cluster play those in the simulated Azure;
//   - nodebinaries builds what Windows nodes run;
//   - cmd/lab is the command behind the Makefile, and cmd/prepare builds what it needs.
//
// This package puts them together. It is a Go module of its own, so that nobody
// who imports a component pays for the lab's dependencies. The simulated Azure is
// another one, beside it: internal/azuresim, which knows nothing of the lab.
package lab
