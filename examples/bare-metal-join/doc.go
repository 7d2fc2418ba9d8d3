// Command bare-metal-join writes the files that make a mixed cluster of machines that
// are there already: a Linux control plane, a Linux worker and two Windows workers.
// README.md explains it.
package main
