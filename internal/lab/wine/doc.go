// Package wine runs programs of Windows on Linux, with Wine of the machine's own Debian or
// Ubuntu packages. They are downloaded by apt-get, which verifies them, and unpacked into a
// folder: nothing is installed, and nobody need be root.
//
// It is for Go programs without a window, the node's programs of Kubernetes above all, and
// adds what Wine 8 lacks for them, see dlls.go and registry.go. What runs in it has no
// Windows kernel: no containers, no host networking service, no performance counters.
package wine
