// Package maporder finds code whose result depends on the order of a map, which differs from run to run. Its tests
// search all modules:
//
//	go -C tests test ./maporder
package maporder
