// Package examples has clusters of AKS that break a rule, each with a similar one that breaks none. The tests of the
// rules check them, and `mixedkube explain` shows what they find.
package examples
