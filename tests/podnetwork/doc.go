// Package podnetwork tests machines/bootstrap/network. It reads the CNI configurations with
// the library of container runtimes, and sets the routes of plans in a network of Linux network
// namespaces, where pods reach each other or not. There it also loads the rules of the
// machines' files that keep pods from Azure's services for machines, and from sending frames of
// an overlay. It decodes the policies of Windows nodes into hcsshim's types.
//
// The network needs Linux, root and the programs ip and nft; without them its tests are
// skipped. Where nft is not installed, Debian's package is unpacked into the tool cache.
//
// A namespace with the addresses of a Windows node simulates it.
package podnetwork
