// Package stackconfig reads the structured configuration of the stacks in this
// repository, and decides which program deploys a stack. That program and the lab both
// use it: the program has the values from Pulumi, the lab from the stack's YAML file,
// and both must get the same topology.
//
// All mistakes are reported at once, with the path, the value and the nearest valid
// name.
package stackconfig
