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
//   - azure is a simulated Azure Resource Manager; azurenative and command are the
//     plugins, and azcli the command az, that speak to it, by way of armclient;
//   - machine is what a virtual machine does with what Azure runs on it, and apiserver
//     stands in for the API servers of such machines;
//   - gosource reads the SDKs that the simulated ones are compared with, in tests;
//   - cmd/lab is the command behind the Makefile, and cmd/prepare builds what it needs.
//
// This package puts them together. It is a Go module of its own, so that nobody
// who imports a component pays for the lab's dependencies.
package lab
