package pki

import "strings"

// tokenCharacters are those of a bootstrap token (cluster-bootstrap/token/api).
const tokenCharacters = "abcdefghijklmnopqrstuvwxyz0123456789"

// Token is the bootstrap token of a node, the same each time for one creation of its machine,
// which has an ID of its own: the vmId of Azure.
func (s Secret) Token(node, vmID string) string {
	machine := node + " " + strings.ToLower(vmID)
	return s.characters("token id "+machine, 6) + "." + s.characters("token secret "+machine, 16)
}

// TokenID is what a token is called by, and no secret.
func TokenID(token string) string {
	id, _, _ := strings.Cut(token, ".")
	return id
}

// TokenSecret is the rest of it.
func TokenSecret(token string) string {
	_, secret, _ := strings.Cut(token, ".")
	return secret
}

// characters draws each with the same odds: bytes that would favour the first characters
// are left out.
func (s Secret) characters(use string, n int) string {
	const fair = 256 / len(tokenCharacters) * len(tokenCharacters)
	var text strings.Builder
	// Of 256 bytes, about four are left out.
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
