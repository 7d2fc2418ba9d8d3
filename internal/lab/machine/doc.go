// Package machine is what a virtual machine does when it boots: it reads what Azure
// runs on it, customData that cloud-init takes on Linux and the commands of extensions,
// and finds out whether kubeadm is run, with which configuration.
//
// Nothing is executed. Texts are decoded as far as base64 and gzip go, and followed from
// what is run to the files that it names: a file that nothing runs or reads is as if it
// was not there.
package machine
