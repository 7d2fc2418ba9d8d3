// Package api has only tests. They write the exported API of the packages that docs/stability.md promises into files
// of docs/api, a line for each name, so that a reviewer sees each change of it. They compare it with the API of the
// last release, and require a line in CHANGELOG.md for what has changed since. They also check that the programs in
// the pages import promised packages only.
package api
