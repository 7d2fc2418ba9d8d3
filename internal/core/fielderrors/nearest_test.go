package fielderrors_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		value      string
		candidates []string
		want       string
		wantOK     bool
	}{
		{"the word itself is the nearest", "win", []string{"lin", "win"}, "win", true},
		{
			"case does not count, and the candidate keeps its own", "WINDOWS2022",
			[]string{"Windows2019", "Windows2022"},
			"Windows2022", true,
		},
		{
			"one replaced character", "windows-2021",
			[]string{"linux", "windows-2016", "windows-2022"},
			"windows-2022",
			true,
		},
		{"one missing character", "linx", []string{"windows", "linux"}, "linux", true},
		{"one character too many", "linuxx", []string{"windows", "linux"}, "linux", true},
		{"two swapped neighbors count one", "ab12", []string{"ab99", "ba12"}, "ba12", true},
		{"a swap is nearer than two replacements", "widnows", []string{"wixxows", "windows"}, "windows", true},
		{"the first of equally near words wins", "cat", []string{"bat", "hat", "rat"}, "bat", true},
		{"a nearer word wins over an earlier one", "platform", []string{"platfxxm", "platforn"}, "platforn", true},
		{"characters are counted, not bytes", "größe", []string{"grösse", "grüße"}, "grüße", true},
		{"a third of the word may differ", "abcdefghi", []string{"abcdefxyz"}, "abcdefxyz", true},
		{"more than a third may not", "abcdefghi", []string{"abcdewxyz"}, "", false},
		{"in a short word one character may differ", "abc", []string{"abd"}, "abd", true},
		{"in a short word two may not", "abc", []string{"ade"}, "", false},
		{"in a word of five characters two may differ", "lunix", []string{"linux"}, "linux", true},
		{"a word is not near to one that only begins with it", "windows", []string{"windows2019"}, "", false},
		{"words without a common character are not near", "a", []string{"b"}, "", false},
		{"nothing is near an empty value", "", []string{"a", "", "ab"}, "", false},
		{"nothing is near among no candidates", "linux", nil, "", false},
		{"an empty candidate is never suggested", "a", []string{""}, "", false},
		{"a huge value is near nothing", strings.Repeat("linux", 1<<18), []string{"linux", "windows-2022"}, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := fielderrors.Nearest(tt.value, tt.candidates)
			if got != tt.want || ok != tt.wantOK {
				t.Errorf("Nearest(%.40q, %q) = %q, %t, want %q, %t", tt.value, tt.candidates, got, ok,
					tt.want, tt.wantOK)
			}
		})
	}
}

func TestTypo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"disktype", "dsiktype", true},
		{"disktype", "diktype", true},
		{"disktype", "ddisktype", true},
		{"disktype", "disktyep", true},
		{"disktype", "disktyp", false},
		{"class", "classb", false},
		{"tenant-a", "tenant-b", false},
		{"disktype", "disktyqe", false},
		{"rack1-a", "rack11-a", false},
		{"rack12", "rack21", false},
		{"größe", "größee", false},
		{"größe", "göreß", false},
		{"größen", "görßen", true},
		{"DikType", "disktype", true},
		{"disktype", "disktype", false},
		{"disktype", "diskType", false},
		{"disktype", "disksize", false},
		{"disktype", "disktyperr", false},
		{"disk", "disc", false},
		{"tier", "tiers", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if got := fielderrors.Typo(tt.a, tt.b); got != tt.want || fielderrors.Typo(tt.b, tt.a) != got {
			t.Errorf("Typo(%q, %q) = %t, want %t, both ways", tt.a, tt.b, got, tt.want)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add("windows-2021", "windows-2022", "linux")
	f.Add("", "", "a")
	f.Add("\xff", "\xfe", "İ")
	f.Fuzz(func(t *testing.T, value, first, second string) {
		candidates := []string{first, second}
		got, ok := fielderrors.Nearest(value, candidates)
		if ok && got != first && got != second {
			t.Errorf("Nearest(%q, %q) = %q, which is not a candidate", value, candidates, got)
		}
		if !ok && got != "" {
			t.Errorf("Nearest(%q, %q) = %q, false", value, candidates, got)
		}
		if value != "" {
			self, ok := fielderrors.Nearest(value, []string{value})
			if !ok && value != "" || ok && self != value {
				t.Errorf("Nearest(%q) does not find itself: %q, %t", value, self, ok)
			}
		}
	})
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	known := []string{"cluster", "workloads"}
	for _, tt := range []struct {
		name, what, value, want string
		known                   []string
	}{
		{
			"a near name is proposed", "key", "worklods",
			`unknown key: did you mean "workloads"? (use cluster or workloads)`, known,
		},
		{
			"without a near name, only the known names are listed", `stack "x"`, "x",
			`unknown stack "x" (use cluster or workloads)`, known,
		},
		{"a single known name", "key", "x", "unknown key (use cluster)", known[:1]},
		{"three known names", "key", "x", "unknown key (use a, b or cluster)", []string{"a", "b", "cluster"}},
		{"no known name", "key", "x", "unknown key", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := fielderrors.Unknown(tt.what, tt.value, tt.known); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
