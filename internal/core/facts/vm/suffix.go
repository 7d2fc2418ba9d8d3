package vm

import "crypto/sha256"

//facts:none a decision of this library
const suffixCharacters = "abcdefghijklmnopqrstuvwxyz0123456789"

// Suffix returns a hash of a text, in letters and digits. The names of pools and machines
// contain a hash of the settings that cannot be changed.
func Suffix(text string, length int) string {
	sum := sha256.Sum256([]byte(text))
	b := make([]byte, length)
	for i := range b {
		b[i] = suffixCharacters[int(sum[i])%len(suffixCharacters)]
	}
	return string(b)
}
