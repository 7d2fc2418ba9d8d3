// Package repository decides what the documents of a repository are, before anything is judged: a cluster receives only
// some of them as they are written. A kustomization and its patches, the values of a chart, an encrypted Secret, and the
// workflow of a CI system are not manifests.
//
// The package reads no files. [Read] gets the kustomizations, whose lists say what other files are; [Repository.KindOf]
// then decides for each document.
package repository
