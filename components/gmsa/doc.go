// Package gmsa lets pods on Windows nodes run as a group managed service account (gMSA)
// of Active Directory, without a password in the cluster
// (https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/). A cluster
// needs, once:
//
//   - [NewCRD], the kind GMSACredentialSpec;
//   - [NewWebhook], which puts the specification that a pod names into the pod, and
//     refuses pods whose service account may not use it;
//
// and for each account:
//
//   - [NewCredentialSpec], the description of the account and its domain, with a role
//     that allows the use of exactly this one;
//   - [CredentialSpec.Allow], for each service account whose pods run as it.
//
// The accounts themselves are created in Active Directory, as are the rights of the nodes
// to fetch their passwords
// (https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/manage-serviceaccounts).
//
// # Who may use an account
//
// The webhook does not look at pods in its own namespace, kube-system by default, and in
// namespaces with the label windows.k8s.io/disabled=true. A pod there specifies the credential
// itself, so anyone who may create pods there, or may label a namespace, can use every account
// whose password the nodes can fetch. Let only the cluster's administrators do either.
//
// # One program
//
// One program can have the kind and its objects, even in the first preview, if each
// [NewCredentialSpec] depends on the kind:
//
//	crd, err := gmsa.NewCRD(ctx, "gmsa")
//	…
//	web, err := gmsa.NewCredentialSpec(ctx, "web", args, pulumi.DependsOn([]pulumi.Resource{crd}))
//
// # Structure
//
// The package internal/core/preflight/credspec defines and checks credential specifications. It does not
// depend on Pulumi.
package gmsa
