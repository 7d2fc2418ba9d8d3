// Package repositories holds the list of public repositories that check and adopt are measured on. It was written down
// before the reader of repositories, so none of its rules was made from them. The package also compares both commands
// with builds of the library of kustomize, over repositories that are made up, and over clones of public ones.
package repositories
