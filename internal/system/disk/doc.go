// Package disk is the only way to the files of this machine for the command, the policy pack, the guard and the
// components. Repositories, charts and directories come from strangers, so it reads and writes only what its user has
// named:
//
//   - It follows links inside the repository of a named path, or inside the named directory if there is no repository.
//     [Access.AllowLinks] names more directories. A link never leads into the directory .git.
//   - It reads regular files. A pipe is read only if the user has named it.
//   - It writes whole files at once, and nothing through a link.
//   - A file with a secret is for its owner alone.
//
// The linter forbids the functions of os and path/filepath that touch a disk in the other packages of the library.
package disk
