// Package azcli simulates `az`, the Azure CLI, for the simulated Azure: the commands that components/aks runs or tells
// its users to run, and those that show their results.
//
// Like the real one, it gets a resource, changes it and puts it back. It refuses unknown commands and flags with the
// exit status 2, and it cannot prompt because there is no terminal.
//
// It prints the names of az's SDK, osDiskSizeGb for osDiskSizeGB. It leaves out properties that are not set, where az
// prints null.
package azcli
