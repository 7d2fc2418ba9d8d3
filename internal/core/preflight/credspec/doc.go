// Package credspec knows what a credential specification of Windows is, and what is wrong
// with one: with the JSON that a program passes, see [Decode], and with the fields of a
// GMSACredentialSpec, see [Problems]. It knows nothing of Pulumi, so that fuzzing it costs
// seconds.
package credspec
