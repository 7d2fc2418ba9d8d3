// Package apiserver stands in for the API servers of simulated machines. Nothing listens on their addresses, so the
// package is a proxy: it answers connections to these machines itself, signed with the keys that the machine has, and
// forwards all others unchanged. Clients need its password.
//
// TLS and client certificates are handled between client and machine, as kube-apiserver does. Requests then go to the
// API server of the cluster that simulates Azure's, impersonating the user of the certificate.
package apiserver
