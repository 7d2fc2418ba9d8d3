// Package policy is the policy pack of mixedkube: the rules of package preflight over the Kubernetes objects of a
// Pulumi program in any language, as policies of Pulumi.
//
// The engine starts the pack as a program, and calls it over gRPC: for each resource (Analyze), for the stack as a
// whole (AnalyzeStack), and for a corrected resource (Remediate). The findings are the same as in package guard, with
// the same texts. There are two differences: a policy cannot set options of a resource, and it sees the inputs after
// the provider has completed them, with the name that Pulumi generated.
//
// The package implements the protocol itself, and reads and edits properties in their wire format. So the command,
// which contains the pack, is built without Pulumi's SDK.
package policy
