package pki_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
)

// tokenFormat is the format of cluster-bootstrap/token/api.
var tokenFormat = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)

func TestTokensHaveTheirFormatAndDifferForEachNode(t *testing.T) {
	t.Parallel()
	s := secret(t, fixed)
	tokens, ids := map[string]bool{}, map[string]bool{}
	count := map[rune]int{}
	const nodes = 10_000
	for i := range nodes {
		token := s.Token(fmt.Sprintf("pool-%d", i), vmID)
		if !tokenFormat.MatchString(token) {
			t.Fatalf("%q is not a token", token)
		}
		tokens[token], ids[pki.TokenID(token)] = true, true
		for _, c := range pki.TokenID(token) + pki.TokenSecret(token) {
			count[c]++
		}
	}
	equal(t, "different tokens", nodes, len(tokens))
	// The IDs name the Secrets. Two of 10,000 IDs are the same about once in 43 secrets, because
	// there are 36^6 of them; this secret has no such pair.
	equal(t, "different IDs", nodes, len(ids))

	// Pearson's test: with 35 degrees of freedom a uniform distribution exceeds 66.6 once in a
	// thousand times. Favoring four characters by one in seven would give 1500.
	expected := float64(nodes*22) / 36
	chiSquare := 0.0
	for c := range count {
		difference := float64(count[c]) - expected
		chiSquare += difference * difference / expected
	}
	equal(t, "characters", 36, len(count))
	if chiSquare > 66.6 {
		t.Errorf("the characters do not have the same probability: chi-square is %.1f", chiSquare)
	}
}

func TestInputsOfTokens(t *testing.T) {
	t.Parallel()
	a := secret(t, fixed).Token("win22-0", vmID)
	for what, b := range map[string]string{
		"another secret":  secret(t, other).Token("win22-0", vmID),
		"another machine": secret(t, fixed).Token("win22-1", vmID),
		"another creation of it": secret(t, fixed).Token("win22-0",
			"3b4c0d61-4e1c-4a4b-9954-5bdf3ed5c3b9"),
		"a machine whose creation is unknown": secret(t, fixed).Token("win22-0", ""),
	} {
		if a == b || pki.TokenID(a) == pki.TokenID(b) || pki.TokenSecret(a) == pki.TokenSecret(b) {
			t.Errorf("%s: both are %s", what, a)
		}
	}
}

func TestPartsOfAToken(t *testing.T) {
	t.Parallel()
	for token, want := range map[string][2]string{
		"tests0.notarealtoken000": {"tests0", "notarealtoken000"},
		"abcdef":                  {"abcdef", ""},
		"":                        {"", ""},
	} {
		equal(t, token, want, [2]string{pki.TokenID(token), pki.TokenSecret(token)})
	}
}
