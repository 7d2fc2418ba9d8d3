// Package pki makes all keys of a self-managed cluster from one secret: the same secret
// gives the same keys and certificates, so that a program has them again each time it
// runs, and nothing has to be brought back from the machines.
//
// It is pure: it draws no random numbers, and asks nobody for the time.
package pki
