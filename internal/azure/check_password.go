package azure

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/tree"
)

const (
	minPassword, maxPassword = 14, 123
	// minKinds is how many of the four kinds of characters there are at least.
	minKinds = 3
)

// CheckPassword returns what is wrong with the administrator's password, when it
// becomes known only after the cluster was checked.
func CheckPassword(password string) []preflight.Finding {
	c := &check{}
	c.password("windowsAdmin.password", password)
	return c.result()
}

// password says which requirement fails, and nothing of the password itself: not
// how long it is, not which kinds it has.
func (c *check) password(path string, v any) {
	v = tree.Reveal(v)
	if v == nil {
		c.report("MK753", problem{
			path: path, detail: "needed when the cluster is created, even without Windows pools: without it the cluster could never get one",
			fix: "give one, as a secret",
		})
		return
	}
	password, known := v.(string)
	if !known {
		return
	}
	wrong := func(id, detail, fix string) {
		c.report(id, problem{path: path, value: preflight.Secret{}, detail: detail, fix: fix})
	}
	if n := utf8.RuneCountInString(password); n < minPassword || n > maxPassword {
		wrong("MK754", fmt.Sprintf("it must have %d to %d characters", minPassword, maxPassword), "use another")
	}
	if kinds(password) < minKinds {
		wrong("MK755", "it must have three of lower-case letters, upper-case letters, digits and special characters", "use another")
	}
	if slices.Contains(refusedPasswords, password) {
		wrong("MK756", "Azure refuses passwords that everybody would try first", "use another")
	}
}

// kinds counts those of lower-case, upper-case, digit and special.
func kinds(password string) int {
	var found [4]bool
	for _, r := range password {
		switch {
		case unicode.IsLower(r):
			found[0] = true
		case unicode.IsUpper(r):
			found[1] = true
		case unicode.IsDigit(r):
			found[2] = true
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			found[3] = true
		}
	}
	n := 0
	for _, f := range found {
		if f {
			n++
		}
	}
	return n
}
