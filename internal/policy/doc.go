// Package policy is the policy pack of mixedkube: the rules of package preflight over the Kubernetes objects
// of a Pulumi program in any language, as policies of Pulumi.
//
// The engine starts the pack as a program, and asks it over gRPC: about each resource (Analyze), about the
// stack as a whole (AnalyzeStack), and for a corrected resource (Remediate). The findings are those of
// package guard, word for word. There are two differences: a policy cannot set options of a resource, and
// it sees the inputs after the provider has completed them, with the name that Pulumi generated.
//
// The package implements the protocol itself, and reads and edits properties as they are on the wire. So
// the command, which contains the pack, is built without Pulumi's SDK.
package policy
