// Package userfiles finds, reads and writes the files of users: manifests in files, in directories and at addresses,
// topologies, charts, lock files and baselines.
//
// It decides only which files are read, and in which order: [Read] and [List] for manifests, [Skips] and [Patterns] for
// what is left out. The packages that decide on the content take bytes, an [io.Reader] or an [fs.FS], and do not touch
// the system: [Decode], [Find] and [Write] take their functions, and [Chart] is a directory for one of them.
package userfiles
