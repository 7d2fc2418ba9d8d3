// Package manifestfiles finds the files with manifests that people name: a file, a
// folder, a pattern, an address. It also reads the file with the cluster's topology,
// as the commands take it, and writes lines for a terminal that hold names of files
// and objects.
package manifestfiles
