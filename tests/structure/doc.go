// Package structure compares what `mixedkube check` says about the structure of objects with
// what an API server says: of objects of all kinds that it serves, with a mistake each. It also
// generates the table of kinds that preflight knows, and holds it to the types of k8s.io/api.
//
//	go test ./structure
//	go test ./structure -v -mistakes 10000 -seed 7
//	go test ./structure -run '^$' -fuzz FuzzStructure -fuzztime 3m
package structure
