// Package pages checks the pages of the repository: links and names lead somewhere, and the code is the code of
// programs that other tests compile and run.
package pages
