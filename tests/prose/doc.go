// Package prose finds the text that people read in the files of the repository: comments and
// strings of Go, pages of Markdown, comments of scripts and of YAML, and the help of the Makefile.
// Its tests search this text for sentences that would confuse a reader of Kubernetes'
// documentation, and the code for declared names that are not terms of the field.
//
//	go -C tests test ./prose -dir internal/lab
package prose
