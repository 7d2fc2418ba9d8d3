// Package vm knows Azure's virtual machines, whoever makes them: what the name of a size says,
// and which administrators Azure refuses. It is pure.
package vm
