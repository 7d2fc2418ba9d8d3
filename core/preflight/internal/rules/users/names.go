package users

import (
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// nameRules are about runAsUserName, DOMAIN\USER or USER, in the words of the API server. A name that is empty, has
// control characters or several backslashes is not judged further.
var nameRules = []engine.Rule{
	userNameEmpty, userNameWithControlCharacters, userNameWithSeveralBackslashes, userDomainTooLong,
	userDomainMalformed, userMissingAfterDomain, userTooLong, userOfPeriodsAndSpaces, userWithReservedCharacters,
}

// Lengths in bytes, as the API server counts them.
const (
	maxDomain = 255
	maxUser   = 104
)

var userNameEmpty = engine.Rule{
	Rule: rule.Rule{
		ID: "MK143", Severity: rule.Error, Title: "runAsUserName is empty", Page: rulepages.Users,
		Reason: "Without the field the container runs as the user of its image; an empty name does not name a user.",
		Fix:    "remove it for the image's user, or write ContainerUser",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: names("runAsUserName cannot be an empty string", userName.empty),
}

var userNameWithControlCharacters = engine.Rule{
	Rule: rule.Rule{
		ID: "MK144", Severity: rule.Error, Title: "control characters in runAsUserName", Page: rulepages.Users,
		Reason: "Windows allows no control characters in names. They come from double quotes in YAML, where `\\n` " +
			"and `\\t` are escapes: \"CONTOSO\\nina\".",
		Fix:    "remove line breaks, tabs and the like",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: names("runAsUserName cannot contain control characters", userName.hasControl),
}

var userNameWithSeveralBackslashes = engine.Rule{
	Rule: rule.Rule{
		ID: "MK145", Severity: rule.Error, Title: "several backslashes in runAsUserName", Page: rulepages.Users,
		Reason: "One backslash divides the domain from the user. Two usually come from unnecessary escaping: YAML " +
			"takes a backslash literally, except in double quotes.",
		Fix:    `write DOMAIN\USER; in single quotes or without quotes, YAML keeps one backslash`,
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: names("runAsUserName cannot contain more than one backslash",
		func(n userName) bool { return !n.hasControl() && n.severalBackslashes() }),
}

var userDomainTooLong = engine.Rule{
	Rule: rule.Rule{
		ID: "MK146", Severity: rule.Error, Title: "the domain in runAsUserName is too long", Page: rulepages.Users,
		Reason: "The DNS name of a domain must have less than 256 bytes.",
		Fix:    "write the domain's NetBIOS name",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: names("runAsUserName's Domain length must be under 256 characters",
		func(n userName) bool { return len(n.domain) > maxDomain && n.divides() }),
}

var userDomainMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK147", Severity: rule.Error, Title: "the domain in runAsUserName is neither a NetBIOS nor a DNS name",
		Page: rulepages.Users,
		Reason: "A NetBIOS name has 1 to 15 characters, none of ``\\ / : * ? \" < > |``, and does not begin with a " +
			"period; a DNS name has labels of letters, digits and hyphens. The Windows shorthand `.\\user` is refused.",
		Fix:    "write the domain's NetBIOS or DNS name",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: names(
		"runAsUserName's Domain doesn't match the NetBios nor the DNS format",
		func(n userName) bool {
			return n.hasDomain && !isNetBIOSName(n.domain) && !isDNSName(n.domain) && n.divides()
		},
		remedy{
			func(n userName) bool { return n.domain == "" || n.domain == "." },
			"write the user alone for one of the container",
		},
	),
}

var userMissingAfterDomain = engine.Rule{
	Rule: rule.Rule{
		ID: "MK148", Severity: rule.Error, Title: "no user after the domain in runAsUserName", Page: rulepages.Users,
		Reason: "A domain alone is not a user.",
		Fix:    "write the user after the backslash",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: names("runAsUserName's User cannot be empty", func(n userName) bool { return n.user == "" && n.divides() }),
}

var userTooLong = engine.Rule{
	Rule: rule.Rule{
		ID: "MK149", Severity: rule.Error, Title: "the user in runAsUserName is too long", Page: rulepages.Users,
		Reason: "Windows allows at most 104 bytes.",
		Fix:    "use a shorter name",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: names("runAsUserName's User length must not be longer than 104 characters",
		func(n userName) bool { return len(n.user) > maxUser && n.divides() }),
}

var userOfPeriodsAndSpaces = engine.Rule{
	Rule: rule.Rule{
		ID: "MK150", Severity: rule.Error, Title: "the user in runAsUserName has only periods and spaces",
		Page:   rulepages.Users,
		Reason: "Windows has no such users.",
		Fix:    "write a user such as ContainerUser",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: names("runAsUserName's User cannot contain only periods or spaces",
		func(n userName) bool { return n.user != "" && strings.Trim(n.user, ". ") == "" && n.divides() }),
}

var userWithReservedCharacters = engine.Rule{
	Rule: rule.Rule{
		ID: "MK151", Severity: rule.Error, Title: "invalid characters in runAsUserName", Page: rulepages.Users,
		Reason: "Windows allows none of ``\" / \\ : ; | = , + * ? < > @ [ ]`` in user names. The form user@domain is " +
			"not supported here.",
		Fix:    "remove them",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: names(
		`runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`,
		func(n userName) bool { return strings.ContainsAny(n.user, `"/\:;|=,+*?<>@[]`) && n.divides() },
		remedy{func(n userName) bool { return strings.ContainsAny(n.user, "@/") }, `write DOMAIN\USER`},
	),
}

// podsWithUnusualNames have a user name that is not only letters and digits. All rules accept other names.
var podsWithUnusualNames = &engine.Scope[*subject.Pods]{
	Within: podsWithOptions, Name: "windowsOptions of pods",
	Has: func(p *subject.Pods) bool {
		for _, options := range p.AllWindowsOptions {
			if name, isText := tree.Text(options["runAsUserName"]); isText && !isUsual(name) {
				return true
			}
		}
		return false
	},
}

func isUsual(name string) bool {
	for i := range len(name) {
		if b := name[i]; (b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') {
			return false
		}
	}
	return name != "" && len(name) <= maxUser
}

// remedy is a better fix than that of the rule for some names.
type remedy struct {
	helps func(userName) bool
	fix   string
}

// names returns the check that refuses some user names. A remedy that helps is a better fix than that of the rule.
func names(detail string, refuses func(userName) bool, remedies ...remedy) []engine.Check {
	return []engine.Check{engine.On(podsWithUnusualNames, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for ctr, options := range p.AllWindowsOptions {
			text, isText := tree.Text(options["runAsUserName"])
			name := userNameOf(text)
			if !isText || !refuses(name) {
				continue
			}
			problem := rule.Problem{
				Path: p.OptionPath(ctr, "runAsUserName"), Type: field.ErrorTypeInvalid,
				Value: options["runAsUserName"], Detail: detail,
			}
			if i := slices.IndexFunc(remedies, func(r remedy) bool { return r.helps(name) }); i >= 0 {
				problem.Fix = remedies[i].fix
			}
			found = append(found, problem)
		}
		return found
	})}
}

// userName is a user name, divided at its first backslash.
type userName struct {
	text, domain, user string
	hasDomain          bool
}

func userNameOf(text string) userName {
	if domain, user, divided := strings.Cut(text, `\`); divided {
		return userName{text, domain, user, true}
	}
	return userName{text: text, user: text}
}

func (n userName) empty() bool { return n.text == "" }

func (n userName) hasControl() bool {
	return strings.ContainsFunc(n.text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func (n userName) severalBackslashes() bool { return n.hasDomain && strings.Contains(n.user, `\`) }

// divides reports whether the name can be divided into a domain and a user.
func (n userName) divides() bool { return !n.empty() && !n.severalBackslashes() && !n.hasControl() }

// isNetBIOSName reports whether s is the short name of a Windows domain.
func isNetBIOSName(s string) bool {
	return s != "" && s[0] != '.' && utf8.RuneCountInString(s) <= 15 && !strings.ContainsAny(s, `\/:*?"<>|`)
}

// isDNSName reports whether s is the full name of a Windows domain, in upper or lower case.
func isDNSName(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if b := label[i]; b != '-' && (b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') {
				return false
			}
		}
	}
	return true
}
