package provider

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// enum is the reference to a type with choices, "" if a type has none.
func (g *generator) enum(t reflect.Type) string {
	choices := g.comments.of(t.PkgPath(), t.Name())
	if len(choices) == 0 {
		return ""
	}
	if !g.register(t) {
		o := object{Description: g.said(t), Type: "string"}
		var names []string
		for _, c := range choices {
			names = append(names, c.name)
		}
		names = choiceNames(t.Name(), names)
		for i, c := range choices {
			said, _ := g.comments.description(c.doc, t.PkgPath(), "", c.name, c.name)
			o.Enum = append(o.Enum, enumValue{Name: names[i], Description: said, Value: c.value})
		}
		g.types[token(t)] = o
	}
	return "#/types/" + token(t)
}

// words are the words of a name in Go.
var words = regexp.MustCompile(`[A-Z]+[a-z0-9]*`)

// choiceNames are the names of the choices of a type in the SDKs, where they stand behind the name of the
// type. A constant of Go stands alone and says by one of its words what it is of: that word is left out, if
// it begins or ends all of the constants.
func choiceNames(typeName string, constants []string) []string {
	of := words.FindAllString(typeName, -1)
	for _, cut := range []func(name, word string) string{strings.TrimPrefix, strings.TrimSuffix} {
		for _, word := range of {
			var short []string
			for _, name := range constants {
				if all := words.FindAllString(name, -1); len(all) > 1 && slices.Contains(all, word) {
					short = append(short, cut(name, word))
				}
			}
			if len(constants) > 1 && len(short) == len(constants) && !slices.ContainsFunc(short, func(name string) bool {
				return slices.Contains(constants, name)
			}) {
				return short
			}
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
		// One of them has the word elsewhere, or not at all.
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
