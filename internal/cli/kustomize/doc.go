// Package kustomize builds kustomizations in this process, as kubectl kustomize does, and finds the places in files
// where the values of built objects are written. A [Reader] opens files, a [Build] has the objects, and [Build.Trace]
// follows an object from the file that it comes from through the steps that change it.
//
// Kustomizations come from strangers. The library of kustomize runs git, Helm and plugins, and fetches addresses; so
// everything that a build would reach is read before, through the access to the user's files, and a build that would
// fetch or run something is refused. The library itself reads copies in memory.
//
// Only the command imports this package: the library of kustomize is large.
package kustomize
