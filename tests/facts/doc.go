// Package facts compares the facts of package internal/core/facts with oracles that do not use them: sentences and rows
// of published pages, recorded in testdata with commit and day, answers of the proxy of Go modules, and the SDK's
// enumerations, properties and comments. A test puts a wrong value into each part of each fact, and shows which oracles
// notice it. Parts without an oracle are in a table, with the reason.
package facts
