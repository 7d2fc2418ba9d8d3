// Package facts compares the tables of package internal/core/facts with oracles that do not use them: rows of published
// pages, recorded in testdata with commit and day, and the SDK's enumerations and comments. A test changes one value of
// each table and shows which oracle notices.
package facts
