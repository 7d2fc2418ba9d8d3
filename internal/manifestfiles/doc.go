// Package manifestfiles finds the files with manifests that people name: a file, a
// folder, a pattern, an address.
package manifestfiles
