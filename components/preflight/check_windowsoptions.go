package preflight

import (
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// Lengths in bytes, as the API server counts them.
const (
	maxCredentialSpec = 64 << 10
	maxDomain         = 255
	maxUser           = 104
)

// windowsOptions is what the API server refuses in windowsOptions, whatever the
// operating system is.
func (c *check) windowsOptions(p *pods) {
	c.windowsOptionsOf(p, nil, p.windows)
	for i := range p.containers {
		c.windowsOptionsOf(p, &p.containers[i], p.containers[i].windows)
	}
}

// windowsOptionsOf checks the options of a container, or of the pod when ctr is nil.
func (c *check) windowsOptionsOf(p *pods, ctr *container, options map[string]any) {
	if len(options) == 0 {
		return
	}
	invalid := func(id, name, detail, fix string) {
		path := p.windowsOption(ctr, name)
		c.report(id, problem{path: path, typ: field.ErrorTypeInvalid, value: options[name], detail: detail, fix: fix})
	}
	if name, ok := tree.Text(options["gmsaCredentialSpecName"]); ok {
		for _, detail := range validation.IsDNS1123Subdomain(name) {
			invalid("MK140", "gmsaCredentialSpecName", detail, "write the name of a GMSACredentialSpec, or remove it")
		}
	}
	if spec, ok := tree.Text(options["gmsaCredentialSpec"]); ok {
		switch {
		case spec == "":
			invalid("MK141", "gmsaCredentialSpec", "gmsaCredentialSpec cannot be an empty string", "remove it: gmsaCredentialSpecName names the specification")
		case len(spec) > maxCredentialSpec:
			invalid("MK142", "gmsaCredentialSpec", "gmsaCredentialSpec size must be under 64 KiB", "make a GMSACredentialSpec of it, and name that in gmsaCredentialSpecName")
		}
	}
	if name, ok := tree.Text(options["runAsUserName"]); ok {
		runAsUserName(name, func(id, detail, fix string) { invalid(id, "runAsUserName", detail, fix) })
	}
}

// windowsOption is the path of a field of windowsOptions.
func (p *pods) windowsOption(ctr *container, name string) string {
	if ctr == nil {
		return p.path("securityContext", "windowsOptions", name)
	}
	return p.in(ctr, "securityContext", "windowsOptions", name)
}

// runAsUserName reports what is wrong with a user's name, DOMAIN\USER or USER.
func runAsUserName(name string, invalid func(id, detail, fix string)) {
	domain, user, hasDomain := strings.Cut(name, `\`)
	switch {
	case name == "":
		invalid("MK143", "runAsUserName cannot be an empty string", "remove it for the image's user, or write ContainerUser")
		return
	case strings.ContainsFunc(name, isControl):
		invalid("MK144", "runAsUserName cannot contain control characters", "remove line breaks, tabs and the like")
		return
	case strings.Contains(user, `\`):
		invalid("MK145", "runAsUserName cannot contain more than one backslash", `write DOMAIN\USER; in single quotes or none, YAML takes one backslash as it is`)
		return
	case !hasDomain:
		domain, user = "", name
	}
	if len(domain) > maxDomain {
		invalid("MK146", "runAsUserName's Domain length must be under 256 characters", "write the domain's NetBIOS name")
	}
	if hasDomain && !isNetBIOSName(domain) && !isDNSName(domain) {
		fix := "write the domain's NetBIOS or DNS name"
		if domain == "" || domain == "." {
			fix = "write the user alone for one of the container"
		}
		invalid("MK147", "runAsUserName's Domain doesn't match the NetBios nor the DNS format", fix)
	}
	if user == "" {
		invalid("MK148", "runAsUserName's User cannot be empty", "write the user after the backslash")
	}
	if len(user) > maxUser {
		invalid("MK149", "runAsUserName's User length must not be longer than 104 characters", "use a shorter name")
	}
	if user != "" && strings.Trim(user, ". ") == "" {
		invalid("MK150", "runAsUserName's User cannot contain only periods or spaces", "write a user such as ContainerUser")
	}
	if strings.ContainsAny(user, `"/\:;|=,+*?<>@[]`) {
		fix := "remove them"
		if strings.Contains(user, "@") || strings.Contains(user, "/") {
			fix = `write DOMAIN\USER`
		}
		invalid("MK151", `runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`, fix)
	}
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// isNetBIOSName tells the short name of a Windows domain.
func isNetBIOSName(s string) bool {
	return s != "" && s[0] != '.' && utf8.RuneCountInString(s) <= 15 && !strings.ContainsAny(s, `\/:*?"<>|`)
}

// isDNSName tells the full name of a Windows domain, upper and lower case alike.
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
