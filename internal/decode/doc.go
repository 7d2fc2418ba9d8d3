// Package decode fills Go values from what YAML or JSON was read as, strictly: each key is
// known, each value has the type that its place has, and all that is wrong is said at once,
// each with its path and the key that was probably meant.
package decode
