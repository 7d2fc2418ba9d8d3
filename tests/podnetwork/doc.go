// Package podnetwork has tests only, of components/bootstrap/network: the CNI
// configurations are read by the library that container runtimes read them with, and
// the routes of plans are set in a network of Linux network namespaces, where pods reach
// each other or not. There the rules that keep pods from what a machine asks Azure are
// loaded, too, from the files that package kubeadm makes, and those that keep them from
// sending frames of an overlay. The policies of Windows nodes are
// decoded into hcsshim's types.
//
// The network needs Linux, root and the programs ip and nft; without them its tests are
// skipped. Where nft is not installed, Debian's package is unpacked into the tool cache.
//
// A Windows node is played by a namespace with the addresses of one.
package podnetwork
