// Package differential compares preflight with the code whose verdicts it predicts: the validation of the API server,
// for each version of Kubernetes that preflight knows. It generates random pods. Both sides judge them, and their
// verdicts must be the same, including the path of each field and the message.
//
//	go test ./differential
//	go test ./differential -v -run TestPreflightMatchesTheAPIServer -timeout 2h -pods 1000000 -seed 7
//
// # What is compared
//
// The API server's side is the oracles (internal/lab/tools/oracle): programs that do with an object what an API server
// does on creation up to its validation, with the default feature gates. The test compares all their verdicts, except
// those that the list in aside_test.go names with reasons: rules that are not about Windows. The generated pods break
// no other rules, so any other verdict of an oracle is a failure too.
//
// preflight's side is its findings about objects that the API server refuses: those with the API server's type of
// error.
//
// Each run also checks its coverage: every version must report every message of the rules (rules_test.go) at least
// once.
package differential
