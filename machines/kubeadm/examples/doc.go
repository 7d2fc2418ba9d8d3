// Package examples has for each rule of clusters that kubeadm creates a value that breaks the rule, and a similar one
// that breaks none. The tests of the rules check them, and `mixedkube explain` shows what they find.
package examples
