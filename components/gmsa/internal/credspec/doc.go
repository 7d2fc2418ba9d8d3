// Package credspec knows what a credential specification of Windows is, and what is wrong
// with one. It knows nothing of Pulumi, so that fuzzing it costs seconds.
package credspec
