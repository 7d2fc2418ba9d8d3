// Package nearest finds the word that somebody probably meant, for the "did
// you mean" of an error message. It only suggests: whoever calls it must not
// act on the answer as if it had been written.
package nearest
