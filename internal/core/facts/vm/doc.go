// Package vm knows Azure's virtual machines, whether AKS or a user creates them: the properties
// that the name of a size implies, and the administrators that Azure refuses. It is pure.
package vm
