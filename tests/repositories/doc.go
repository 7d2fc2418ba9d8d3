// Package repositories holds the list of public repositories that check and adopt are measured on. It was written down
// before the reader of repositories, so none of its rules was made from them.
package repositories
