// Package connectivity tests components/connectivity: it runs the commands of the Linux
// containers in the recorded resources against web and name servers that answer well or badly.
//
// They run in network and mount namespaces of their own, in which every address of the
// cluster is one of the loopback interface. That needs Linux, user namespaces or root,
// and BusyBox, which is what the containers' image holds: the machine's, or Debian's
// package. Without one of them the tests are skipped.
package connectivity
