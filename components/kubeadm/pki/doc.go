// Package pki makes all keys of a self-managed cluster from secrets: the same secret gives
// the same keys and certificates, so that a program has them again each time it runs, and
// nothing has to be brought back from the machines.
//
// [Secret] derives bytes, [Generation] makes the keys of one secret, and [Keys] says which
// generations of which kind of key a cluster uses.
//
// It is pure: it draws no random numbers, and asks nobody for the time.
package pki
