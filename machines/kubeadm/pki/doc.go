// Package pki creates all keys of a self-managed cluster from secrets. The same secret and salt give the
// same keys and certificates, so that a program has them again each time it runs, and no key has to
// be read back from a machine.
//
// [Secret] derives bytes, [Generation] creates the keys of one secret, and [Keys] configures which
// generations of which kind of key a cluster uses.
//
// It is pure: it uses neither random numbers nor the clock.
package pki
