// Package stackconfig reads the structured configuration of the stacks in this
// repository, and says which of the programs deploys a stack. That program and the
// lab both go through it: the program has the values from Pulumi, the lab from the
// stack's YAML file, and both must come to the same topology.
//
// Everything that is wrong is reported at once, with the path, the value and
// the nearest valid name.
package stackconfig
