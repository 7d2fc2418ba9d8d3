// Package e2e tests the whole project on the lab: a real Pulumi engine, a real control plane and simulated nodes. Each
// test has exclusive use of a lab. Tests of the start and the end of a lab create their own. Other tests reuse a lab
// that a previous test has left empty. Each program is built once for all tests.
package e2e
