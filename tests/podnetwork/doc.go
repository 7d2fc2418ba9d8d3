// Package podnetwork has tests only, of components/bootstrap/network: the CNI
// configurations are read by the library that container runtimes read them with, and
// the routes of plans are set in a network of Linux network namespaces, where pods reach
// each other or not.
//
// The network needs Linux, root and the program ip; without them its tests are skipped.
// A Windows node is played by a namespace with the addresses of one.
package podnetwork
