// Package policy is the policy pack of mixedkube: the rules of package preflight over the Kubernetes objects
// of a Pulumi program in any language, as policies of Pulumi.
//
// The engine starts the pack as a program, and asks it over gRPC: about each resource (Analyze), about the
// stack as a whole (AnalyzeStack), and what a resource is to be in its place (Remediate). The answers are
// those of package guard, word for word. What differs is who listens: a policy cannot set options of a
// resource, and sees what the provider has made of its inputs, with the name that Pulumi has given it.
//
// It speaks the protocol itself, and reads and edits properties as they are on the wire. So the command,
// which has the pack, is built without Pulumi's SDK.
package policy
