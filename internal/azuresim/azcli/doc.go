// Package azcli is a simulated `az`, the Azure CLI, for the simulated Azure: the
// commands of it that components/aks runs or tells its users to run, and those that
// show what they did.
//
// Like the real one, it gets a resource, changes it and puts it back, refuses unknown
// commands and flags with the exit status 2, and cannot ask anything, as there is no
// terminal.
//
// It prints the names of az's SDK, osDiskSizeGb for osDiskSizeGB; what is not there it
// leaves out, where az prints null.
package azcli
