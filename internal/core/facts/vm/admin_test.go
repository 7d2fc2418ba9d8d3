package vm_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
)

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	const (
		length = "must have 8 to 123 characters: use another"
		few    = "must have characters of at least three kinds: lower-case letters, upper-case letters, digits, " +
			"special characters: use another"
		common = "Azure refuses passwords that are easy to guess: use another"
	)
	for password, want := range map[string]string{
		"correct-Horse7battery": "", "Abcdef-1": "", "abcdef-1": "", "ABCDEF-1": "", "Abcdefg1": "", "Abcdefg-": "",
		strings.Repeat("aB1", 41): "",
		// Eight letters, some of two bytes.
		"Größe-öö": "",

		"": length, "Abcde-1": length, strings.Repeat("aB1-", 31): length,
		"abcdefgh": few, "abcdefg1": few, "ABCDEFG-": few, "12345678": few, "abcdefgH": few,
		"P@$$w0rd": common, "P@ssw0rd": common, "P@ssword123": common, "Pa$$word": common, "pass@word1": common,
		"Password!": common, "Password1": common, "Password22": common,
	} {
		if got := vm.CheckPassword(password); got != want {
			t.Errorf("%q: %q, want %q", password, got, want)
		}
	}
}

// The text is the same for all passwords with the same error.
func TestThePasswordIsNotShown(t *testing.T) {
	t.Parallel()
	texts := map[string]bool{"": true}
	for _, password := range []string{
		"", "x7q", "P@$$w0rd", "Password22", "iloveyou!", "sesameopensesame", "SESAMEOPENSESAME", "!!!!!!!!!!!!!!!!!!",
		"correct-Horse7battery", strings.Repeat("long", 31), "\xff\xfe\x00binary\xff-more-of-it",
		"%s%d%!v(MISSING)%q-format",
	} {
		detail := vm.CheckPassword(password)
		texts[detail] = true
		if len(password) > 3 && strings.Contains(detail, password) {
			t.Errorf("%q is shown: %s", password, detail)
		}
	}
	if len(texts) != 4 {
		t.Errorf("%d texts, want three and the empty one: %v", len(texts), texts)
	}
}

func TestCheckUsername(t *testing.T) {
	t.Parallel()
	const (
		length = "must have 1 to 20 characters: use a shorter one"
		period = "must not end in a period: remove it"
		sign   = "has a character that Azure refuses: use letters and digits"
		common = "Azure refuses this name: use one that is less common, for example azureuser"
	)
	want := map[string]string{
		"azureuser": "", "operator": "", "o.perator": "", "o-p_e": "", strings.Repeat("o", 20): "", "größe": "",

		"": length, strings.Repeat("o", 21): length, "operator.": period, "op er": sign,
		"administrator": common, "Administrator": common, "ADMIN": common, "root": common, "user1": common,
		"guest": common,
	}
	// A single letter can be a common name too.
	want["a"] = common
	for _, c := range `\/"[]:|<>+=;,?*@&` {
		want["op"+string(c)+"er"] = sign
	}
	for name, want := range want {
		if got := vm.CheckUsername(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
