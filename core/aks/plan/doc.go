// Package plan checks the arguments of a program against the requirements of AKS for a cluster and its node pools,
// before anything is sent to Azure. It is pure: it uses neither Pulumi nor the network.
//
// [CheckCluster] and [CheckPool] take what is known and return findings, each of a rule of [Rules]. If a value is not
// known because it is an output, only the checks of that value are skipped. A value that the tables do not have, such
// as a newer version of Kubernetes or a newer osSKU, is a warning, because Azure may support it.
package plan
