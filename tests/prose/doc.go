// Package prose finds the text that people read in the files of the repository: comments and
// strings of Go, pages of Markdown, comments of scripts and of YAML, and the help of the Makefile.
// Its tests look there for sentences that a reader of Kubernetes' documentation would stumble
// over, and for declared names that are not words of the field.
//
//	go -C tests test ./prose -dir internal/lab
package prose
