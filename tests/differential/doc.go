// Package differential holds preflight against the code that it speaks for: the
// validation of the API server, of each version of Kubernetes that preflight
// knows. Pods are made at random and judged by both, and the verdicts have to be
// the same, down to the path of each field and the words.
//
//	go test ./differential
//	go test ./differential -v -run TestPreflightSaysWhatTheAPIServerSays -timeout 2h -pods 1000000 -seed 7
//
// # What is compared
//
// The API server's side are the oracles (internal/lab/tools/oracle), programs that
// do with an object what an API server does on creation up to its validation,
// with the feature gates as they are by default. All that they say is compared,
// apart from what the list in aside_test.go names with its reasons: rules that
// speak of none of what is particular to Windows. A pod is made so that nothing
// else is wrong with it, so whatever an oracle says beyond that is a failure too.
//
// preflight's side are its findings that say that the API server refuses: those
// that carry the API server's type of error.
//
// Each run also shows that it means something: every message of the rules
// (rules_test.go) has to be there at least once, from every version.
package differential
