// Package wine runs Windows programs on Linux, with Wine from the machine's own Debian or
// Ubuntu packages. apt-get downloads and verifies them, and they are unpacked into a
// directory. Nothing is installed, and root is not required.
//
// It is for Go programs without a window, mainly the Kubernetes programs of nodes, and
// adds what Wine 8 lacks for them, see dlls.go and registry.go. The programs have no
// Windows kernel: no containers, no host networking service, no performance counters.
package wine
