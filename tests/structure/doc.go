// Package structure compares the findings of `mixedkube check` about the structure of objects with
// the errors of an API server, for objects of all kinds that it serves, with a mistake each, and with
// the errors of the decoder of each version that has an oracle. It also generates the table of kinds
// that preflight knows, and compares it with the types of k8s.io/api.
//
//	go test ./structure
//	go test ./structure -v -mistakes 10000 -seed 7
//	go test ./structure -run '^$' -fuzz FuzzStructure -fuzztime 3m
package structure
