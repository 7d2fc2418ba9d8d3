package vm

import "crypto/sha256"

const suffixCharacters = "abcdefghijklmnopqrstuvwxyz0123456789"

// Suffix is a hash of a text, of letters and digits: what cannot be changed on a pool or
// a machine is in its name.
func Suffix(text string, length int) string {
	sum := sha256.Sum256([]byte(text))
	b := make([]byte, length)
	for i := range b {
		b[i] = suffixCharacters[int(sum[i])%len(suffixCharacters)]
	}
	return string(b)
}
