package provider

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// enum returns the reference to a type with choices, "" if a type has none.
func (g *generator) enum(t reflect.Type) string {
	choices := g.comments.of(t)
	if len(choices) == 0 {
		return ""
	}
	if !g.register(t) {
		o := object{Description: g.describe(t), Type: "string"}
		var names []string
		for _, c := range choices {
			names = append(names, c.name)
		}
		names = choiceNames(t.Name(), names)
		for i, c := range choices {
			description, _ := g.comments.description(c.doc, c.pkg, "", c.name, c.name)
			o.Enum = append(o.Enum, enumValue{Name: names[i], Description: description, Value: c.value})
		}
		g.types[token(t)] = o
	}
	return "#/types/" + token(t)
}

// goWords are the words of a name in Go.
var goWords = regexp.MustCompile(`[A-Z]+[a-z0-9]*`)

// choiceNames returns the names of the choices of a type in the SDKs, where they follow the name of the type. A
// constant of Go does not follow it, and names its type by a word: that word is omitted if all constants begin or end
// with it.
func choiceNames(typeName string, constants []string) []string {
	if len(constants) < 2 {
		return constants
	}
	first := goWords.FindAllString(constants[0], -1)
	for word, cut := range map[string]func(string, string) (string, bool){
		first[0]: strings.CutPrefix, first[len(first)-1]: strings.CutSuffix,
	} {
		var short []string
		for _, name := range constants {
			if rest, ok := cut(name, word); ok && goWords.MatchString(rest) {
				short = append(short, rest)
			}
		}
		if len(short) == len(constants) && strings.Contains(typeName, word) {
			return short
		}
	}
	return constants
}

func TestChoiceNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typeName           string
		constants, choices []string
	}{
		{"LoginMode", []string{"LoginAdmin", "LoginAzureCLI"}, []string{"Admin", "AzureCLI"}},
		{"OS", []string{"LinuxOS", "WindowsOS"}, []string{"Linux", "Windows"}},
		{"OSDiskType", []string{"ManagedDisk", "EphemeralDisk"}, []string{"Managed", "Ephemeral"}},
		// One of them has the word in another place, or does not have it.
		{"LoginMode", []string{"LoginAdmin", "AzureLogin"}, []string{"LoginAdmin", "AzureLogin"}},
		{"SecurityType", []string{"TrustedLaunch", "StandardSecurity"}, []string{"TrustedLaunch", "StandardSecurity"}},
		// A name must not begin with a digit.
		{"Containerd", []string{"Containerd17", "Containerd16"}, []string{"Containerd17", "Containerd16"}},
		{"PatchMode", []string{"PatchAll"}, []string{"PatchAll"}},
		// The word is not one of the type.
		{"Scheduling", []string{"ByRuntimeClass", "BySelector"}, []string{"ByRuntimeClass", "BySelector"}},
	} {
		if got := choiceNames(c.typeName, c.constants); !slices.Equal(got, c.choices) {
			t.Errorf("the choices of %s are %q, want %q", c.typeName, got, c.choices)
		}
	}
}
