// Package plan knows what AKS asks of a cluster and its node pools, as far as the
// arguments of a program tell, before anything is sent to Azure. It is pure: no
// Pulumi, no network.
//
// [CheckCluster] and [CheckPool] take what is known and return findings, each of a
// rule of [Rules]. What a rule cannot know, because the value is an output, is
// left out of the question, and only that. A value that the tables do not have,
// such as a newer version of Kubernetes or a newer osSKU, is a warning: Azure may
// know better.
package plan
