// Package structure compares what `mixedkube check` says about the structure of objects with
// what an API server says: of objects of all kinds that it serves, with a mistake each.
package structure
