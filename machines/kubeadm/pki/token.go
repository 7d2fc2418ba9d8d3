package pki

import "strings"

// tokenCharacters are the characters of a bootstrap token (cluster-bootstrap/token/api).
const tokenCharacters = "abcdefghijklmnopqrstuvwxyz0123456789"

// Token returns the bootstrap token of a node. It is the same each time for one creation of the
// node's machine, which has an ID of its own: the vmId of Azure.
func (s Secret) Token(node, vmID string) string {
	machine := node + " " + strings.ToLower(vmID)
	return s.characters("token id "+machine, 6) + "." + s.characters("token secret "+machine, 16)
}

// TokenID returns the ID that names a token. It is not a secret.
func TokenID(token string) string {
	id, _, _ := strings.Cut(token, ".")
	return id
}

// TokenSecret returns the secret part of a token.
func TokenSecret(token string) string {
	_, secret, _ := strings.Cut(token, ".")
	return secret
}

// characters derives n characters, each with the same probability: it skips bytes that would favor
// the first characters.
func (s Secret) characters(use string, n int) string {
	const fair = 256 / len(tokenCharacters) * len(tokenCharacters)
	var text strings.Builder
	// About four of 256 bytes are skipped.
	for _, b := range s.bytesFor(use, 256) {
		if text.Len() == n {
			break
		}
		if int(b) < fair {
			text.WriteByte(tokenCharacters[int(b)%len(tokenCharacters)])
		}
	}
	return text.String()
}
