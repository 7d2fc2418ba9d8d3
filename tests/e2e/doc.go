// Package e2e tests the whole of it on the lab: real Pulumi engine, real
// control plane, simulated nodes. Each test has a lab in a folder of its own.
package e2e
