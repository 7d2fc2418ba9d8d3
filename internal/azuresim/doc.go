// Package azuresim is the root of the simulated Azure, a Go module of its own: README.md is the map of its packages,
// and NOT_SIMULATED.md lists what it leaves out.
package azuresim
