// Package e2e tests the whole of it on the lab: real Pulumi engine, real control plane,
// simulated nodes. A test has its lab to itself. One that is about how a lab starts or ends
// makes its own, and others take over the lab that another test has left empty. Each program
// is built once for all tests.
package e2e
