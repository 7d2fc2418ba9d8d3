package preflight

import (
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Lengths in bytes, as the API server counts them.
const (
	maxCredentialSpec = 64 << 10
	maxDomain         = 255
	maxUser           = 104
)

// windowsOptions reports what the API server refuses in windowsOptions for any operating system.
func (c *check) windowsOptions(p *judged) {
	c.windowsOptionsOf(p, nil, p.Windows)
	for i := range p.Containers {
		c.windowsOptionsOf(p, &p.Containers[i], p.Containers[i].Windows)
	}
}

var (
	credentialSpecNameMalformed = rule.Rule{
		ID: "MK140", Severity: rule.Error, Title: "gmsaCredentialSpecName is not a valid name",
		Reason: "The field names a GMSACredentialSpec, and names of objects are lower-case DNS names.",
		Source: apiValidation + windowsOptionsIn,
	}
	credentialSpecEmpty = rule.Rule{
		ID: "MK141", Severity: rule.Error, Title: "gmsaCredentialSpec is empty",
		Reason: "The field contains a whole credential specification. The webhook for Group Managed Service Accounts " +
			"sets it if only gmsaCredentialSpecName is set.",
		Source: apiValidation + windowsOptionsIn,
	}
	credentialSpecTooLong = rule.Rule{
		ID: "MK142", Severity: rule.Error, Title: "gmsaCredentialSpec is too long",
		Reason: "A credential specification has a few hundred bytes. The API server refuses more than 64 KiB.",
		Source: apiValidation + windowsOptionsIn,
	}
)

// windowsOptionsOf checks the options of a container, or of the pod if ctr is nil.
func (c *check) windowsOptionsOf(p *judged, ctr *pods.Container, options map[string]any) {
	if len(options) == 0 {
		return
	}
	invalid := func(broken rule.Rule, name, detail, fix string) {
		path := p.windowsOption(ctr, name)
		c.report(broken, rule.Problem{
			Path: path, Type: field.ErrorTypeInvalid, Value: options[name], Detail: detail,
			Fix: fix,
		})
	}
	if name, ok := tree.Text(options["gmsaCredentialSpecName"]); ok {
		for _, detail := range validation.IsDNS1123Subdomain(name) {
			invalid(credentialSpecNameMalformed, "gmsaCredentialSpecName", detail,
				"write the name of a GMSACredentialSpec, or remove it")
		}
	}
	if spec, ok := tree.Text(options["gmsaCredentialSpec"]); ok {
		switch {
		case spec == "":
			invalid(credentialSpecEmpty, "gmsaCredentialSpec", "gmsaCredentialSpec cannot be an empty string",
				"remove it: gmsaCredentialSpecName names the specification")
		case len(spec) > maxCredentialSpec:
			invalid(credentialSpecTooLong, "gmsaCredentialSpec", "gmsaCredentialSpec size must be under 64 KiB",
				"create a GMSACredentialSpec from it, and name that in gmsaCredentialSpecName")
		}
	}
	if name, ok := tree.Text(options["runAsUserName"]); ok {
		runAsUserName(name, func(broken rule.Rule, detail,
			fix string,
		) {
			invalid(broken, "runAsUserName", detail, fix)
		})
	}
}

// windowsOption returns the path of a field of windowsOptions.
func (p *judged) windowsOption(ctr *pods.Container, name string) string {
	if ctr == nil {
		return p.Path("securityContext", "windowsOptions", name)
	}
	return p.In(ctr, "securityContext", "windowsOptions", name)
}

var (
	userNameEmpty = rule.Rule{
		ID: "MK143", Severity: rule.Error, Title: "runAsUserName is empty",
		Reason: "Without the field the container runs as the user of its image; an empty name does not name a user.",
		Source: apiValidation + windowsOptionsIn,
	}
	userNameWithControlCharacters = rule.Rule{
		ID: "MK144", Severity: rule.Error, Title: "control characters in runAsUserName",
		Reason: "Windows allows no control characters in names. They come from double quotes in YAML, where `\\n` " +
			"and `\\t` are escapes: \"CONTOSO\\nina\".",
		Source: apiValidation + windowsOptionsIn,
	}
	userNameWithSeveralBackslashes = rule.Rule{
		ID: "MK145", Severity: rule.Error, Title: "several backslashes in runAsUserName",
		Reason: "One backslash divides the domain from the user. Two usually come from unnecessary escaping: YAML " +
			"takes a backslash literally, except in double quotes.",
		Source: apiValidation + windowsOptionsIn,
	}
	userDomainTooLong = rule.Rule{
		ID: "MK146", Severity: rule.Error, Title: "the domain in runAsUserName is too long",
		Reason: "The DNS name of a domain must have less than 256 bytes.",
		Source: apiValidation + windowsOptionsIn,
	}
	userDomainMalformed = rule.Rule{
		ID: "MK147", Severity: rule.Error, Title: "the domain in runAsUserName is neither a NetBIOS nor a DNS name",
		Reason: "A NetBIOS name has 1 to 15 characters, none of ``\\ / : * ? \" < > |``, and does not begin with a " +
			"period; a DNS name has labels of letters, digits and hyphens. The Windows shorthand `.\\user` is refused.",
		Source: apiValidation + windowsOptionsIn,
	}
	userMissingAfterDomain = rule.Rule{
		ID: "MK148", Severity: rule.Error, Title: "no user after the domain in runAsUserName",
		Reason: "A domain alone is not a user.",
		Source: apiValidation + windowsOptionsIn,
	}
	userTooLong = rule.Rule{
		ID: "MK149", Severity: rule.Error, Title: "the user in runAsUserName is too long",
		Reason: "Windows allows at most 104 bytes.",
		Source: apiValidation + windowsOptionsIn,
	}
	userOfPeriodsAndSpaces = rule.Rule{
		ID: "MK150", Severity: rule.Error, Title: "the user in runAsUserName has only periods and spaces",
		Reason: "Windows has no such users.",
		Source: apiValidation + windowsOptionsIn,
	}
	userWithReservedCharacters = rule.Rule{
		ID: "MK151", Severity: rule.Error, Title: "invalid characters in runAsUserName",
		Reason: "Windows allows none of ``\" / \\ : ; | = , + * ? < > @ [ ]`` in user names. The form user@domain is " +
			"not supported here.",
		Source: apiValidation + windowsOptionsIn,
	}
)

// runAsUserName reports what is wrong with a user name, DOMAIN\USER or USER.
func runAsUserName(name string, invalid func(broken rule.Rule, detail, fix string)) {
	domain, user, hasDomain := strings.Cut(name, `\`)
	switch {
	case name == "":
		invalid(userNameEmpty, "runAsUserName cannot be an empty string",
			"remove it for the image's user, or write ContainerUser")
		return
	case strings.ContainsFunc(name, isControl):
		invalid(userNameWithControlCharacters, "runAsUserName cannot contain control characters",
			"remove line breaks, tabs and the like")
		return
	case strings.Contains(user, `\`):
		invalid(userNameWithSeveralBackslashes, "runAsUserName cannot contain more than one backslash",
			`write DOMAIN\USER; in single quotes or without quotes, YAML keeps one backslash`)
		return
	case !hasDomain:
		domain, user = "", name
	}
	if len(domain) > maxDomain {
		invalid(userDomainTooLong, "runAsUserName's Domain length must be under 256 characters",
			"write the domain's NetBIOS name")
	}
	if hasDomain && !isNetBIOSName(domain) && !isDNSName(domain) {
		fix := "write the domain's NetBIOS or DNS name"
		if domain == "" || domain == "." {
			fix = "write the user alone for one of the container"
		}
		invalid(userDomainMalformed, "runAsUserName's Domain doesn't match the NetBios nor the DNS format", fix)
	}
	if user == "" {
		invalid(userMissingAfterDomain, "runAsUserName's User cannot be empty", "write the user after the backslash")
	}
	if len(user) > maxUser {
		invalid(userTooLong, "runAsUserName's User length must not be longer than 104 characters", "use a shorter name")
	}
	if user != "" && strings.Trim(user, ". ") == "" {
		invalid(userOfPeriodsAndSpaces, "runAsUserName's User cannot contain only periods or spaces",
			"write a user such as ContainerUser")
	}
	if strings.ContainsAny(user, `"/\:;|=,+*?<>@[]`) {
		fix := "remove them"
		if strings.Contains(user, "@") || strings.Contains(user, "/") {
			fix = `write DOMAIN\USER`
		}
		invalid(userWithReservedCharacters,
			`runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`, fix)
	}
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

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
