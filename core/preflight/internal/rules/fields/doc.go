// Package fields has the rules about single fields of pods: fields that the API server refuses, and fields that Windows
// does not have, ignores, or understands in another way.
package fields
