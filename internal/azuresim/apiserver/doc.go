// Package apiserver stands in for the API servers of simulated machines. Nothing
// listens on their addresses, so it is a proxy: what is for one of them gets an
// answer, signed with the keys that the machine has, and everything else goes where
// it would have gone. It works for those who know its password only.
//
// TLS and the client's certificate are between the client and the machine, as
// kube-apiserver handles both. Behind that is the API server of the cluster that plays
// Azure's, asked on behalf of the certificate's user by way of impersonation.
package apiserver
