// Package languages tests programs in YAML, TypeScript and Python on the lab: real Pulumi engine and
// language hosts, the plugin of this checkout, real control plane, simulated nodes.
package languages
