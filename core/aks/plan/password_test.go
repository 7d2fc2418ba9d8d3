package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var passwords = []string{
	"", " ", "x7q", "abc@123", "P@$$w0rd", "P@ssw0rd", "P@ssword123", "Pa$$word", "pass@word1", "Password!",
	"Password1", "Password22", "iloveyou!",
	"sesameopensesame", "SESAMEOPENSESAME", "12345678901234567", "!!!!!!!!!!!!!!!!!!", "sesameOPENSESAME", goodPassword,
	strings.Repeat("long", 31), "größeGRÖSSEgröße", "\xff\xfe\x00binary\xff-more-of-it", "%s%d%!v(MISSING)%q-format",
}

func TestPasswordsAreNeverShown(t *testing.T) {
	t.Parallel()
	for _, password := range passwords {
		for _, input := range []any{
			password,
			tree.Secret{Value: password},
			tree.Secret{Value: tree.Secret{Value: password}},
		} {
			findings := plan.CheckCluster(good(func(c *plan.Cluster) { c.WindowsAdmin.Password = input }))
			for _, f := range findings {
				if f.Path != "windowsAdmin.password" || f.Value != (preflight.Secret{}) {
					t.Errorf("the value is not hidden: %s", f)
				}
				// Very short passwords are part of any text.
				if text := everyText(f); len(password) > 2 && strings.Contains(text, password) {
					t.Errorf("%q is shown: %s", password, text)
				}
			}
		}
	}
}

// A text tells which requirement fails, and is the same for all passwords that fail it.
func TestMessagesShowOnlyWhichRequirementFails(t *testing.T) {
	t.Parallel()
	byRule := map[string]string{}
	for _, password := range passwords {
		for _, f := range plan.CheckCluster(good(func(c *plan.Cluster) { c.WindowsAdmin.Password = password })) {
			if text, ok := byRule[f.Rule]; ok && text != everyText(f) {
				t.Errorf("%s distinguishes passwords:\n%s\n%s", f.Rule, text, everyText(f))
			}
			byRule[f.Rule] = everyText(f)
		}
	}
	if len(byRule) != 3 {
		t.Errorf("%d rules report passwords, want 3", len(byRule))
	}
}

// everyText returns every text of a finding that can be shown, including the text of the printed struct.
func everyText(f preflight.Finding) string {
	return fmt.Sprintf("%s\n%+v\n%#v\n%v", f, f, f.Value, (&preflight.FindingError{Finding: f}).Unwrap())
}

func TestKindsOfCharacters(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]bool{
		"abcdefghijklmnO1": true, "abcdefghijklmn-1": true, "ABCDEFGHIJKLMN-1": true, "abcdefghijkLMN_": true,
		"größeGRÖSSEgröße1": true,
		"abcdefghijklmnopq": false, "abcdefghijklmNOPQ": false, "abcdefghijklm---": false, "1234567890-_-_-_": false,
		"漢字漢字漢字漢字漢字漢字漢字ab1": false,
	} {
		findings := plan.CheckCluster(good(func(c *plan.Cluster) { c.WindowsAdmin.Password = password }))
		if (len(findings) == 0) != want {
			t.Errorf("%q: %v", password, brief(findings))
		}
	}
}

// The findings about a password that becomes known later are the same as for one that is known at once.
func TestCheckPasswordReturnsTheSameFindings(t *testing.T) {
	t.Parallel()
	for _, password := range passwords {
		want := plan.CheckCluster(good(func(c *plan.Cluster) { c.WindowsAdmin.Password = password }))
		if diff := cmp.Diff(want, plan.CheckPassword(password)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", password, diff)
		}
	}
}
