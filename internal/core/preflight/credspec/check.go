package credspec

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// CheckAccount checks a sAMAccountName. It leaves the length to Active Directory, which has several limits.
func CheckAccount(name string, path *field.Path) field.ErrorList {
	// The characters that a sAMAccountName cannot have
	// (https://learn.microsoft.com/windows/win32/adschema/a-samaccountname).
	const forbidden = `"/\[]:;|=,+*?<>`
	invalid := func(detail string) field.ErrorList { return field.ErrorList{field.Invalid(path, name, detail)} }
	switch {
	case name == "":
		return field.ErrorList{field.Required(path, "the account's sAMAccountName, WebApp1 for example")}
	case strings.ContainsAny(name, `\@`):
		return invalid("must be the account's name alone: leave the domain out")
	case strings.ContainsAny(name, forbidden):
		return invalid("an account's name cannot contain any of " + forbidden + ": write its sAMAccountName")
	case strings.TrimSpace(name) != name, strings.ContainsFunc(name, unicode.IsControl):
		return invalid("must not begin or end with whitespace, nor have control characters: remove them")
	case strings.Trim(name, "$") == "":
		return invalid("must have a name before the dollar sign")
	}
	return nil
}

// CheckDNSName checks the full name of a domain. It takes underscores too, which old domains have.
func CheckDNSName(name string, path *field.Path) field.ErrorList {
	const longest = 255
	if name == "" {
		return field.ErrorList{field.Required(path, "the domain's full name, contoso.com for example")}
	}
	if short, ok := strings.CutSuffix(name, "."); ok && short != "" {
		return field.ErrorList{field.Invalid(path, name, "must not end with a dot: write "+short)}
	}
	if len(name) > longest {
		return field.ErrorList{field.TooLong(path, "", longest)}
	}
	for label := range strings.SplitSeq(name, ".") {
		if !dnsLabel.MatchString(label) {
			return field.ErrorList{field.Invalid(path, name,
				"must be a DNS name, contoso.com for example: labels of 1 to 63 letters, digits and hyphens, with "+
					"dots between them")}
		}
	}
	return nil
}

var dnsLabel = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$`)

// CheckNetBIOSName checks the NetBIOS name of a domain against its DNS name.
func CheckNetBIOSName(name, dnsName string, path *field.Path) field.ErrorList {
	const longest, forbidden = 15, `\/:*?"<>|`
	invalid := func(detail string) field.ErrorList { return field.ErrorList{field.Invalid(path, name, detail)} }
	switch {
	case name == "":
		return field.ErrorList{field.Required(path, "the domain's short name, CONTOSO for example")}
	// Old NetBIOS names can have dots, so a dot alone is not an error.
	case strings.Contains(name, ".") && strings.EqualFold(name, dnsName):
		return invalid("is the domain's DNS name: write its short name, CONTOSO for example")
	case utf8.RuneCountInString(name) > longest:
		return invalid(
			fmt.Sprintf("must have at most %d characters: write the domain's short name, NetBIOSName of Get-ADDomain",
				longest),
		)
	case strings.ContainsAny(name, forbidden):
		return invalid("a NetBIOS name cannot contain any of " + forbidden + ": write NetBIOSName of Get-ADDomain")
	case name[0] == '.':
		return invalid("a NetBIOS name cannot begin with a dot: write NetBIOSName of Get-ADDomain")
	case strings.TrimSpace(name) != name, strings.ContainsFunc(name, unicode.IsControl):
		return invalid("must not begin or end with whitespace, nor have control characters: remove them")
	}
	return nil
}

// CheckSID wants that of a domain: S-1-5-21 and three numbers of 32 bits. A fourth one is
// the RID, which names an account in it
// (https://learn.microsoft.com/windows-server/identity/ad-ds/manage/understand-security-identifiers).
func CheckSID(sid string, path *field.Path) field.ErrorList {
	const domain = "S-1-5-21-"
	const form = "must be the SID of the domain, S-1-5-21 and three numbers of 32 bits, " +
		"S-1-5-21-2126449477-2524075714-3094792973 for example"
	if sid == "" {
		return field.ErrorList{field.Required(path, "the domain's SID: DomainSID of Get-ADDomain")}
	}
	numbers, ok := strings.CutPrefix(sid, domain)
	parts := strings.Split(numbers, "-")
	if !ok || len(parts) < 3 || len(parts) > 4 {
		return field.ErrorList{field.Invalid(path, sid, form)}
	}
	for _, part := range parts {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil || strconv.FormatUint(n, 10) != part {
			return field.ErrorList{field.Invalid(path, sid, form)}
		}
	}
	if len(parts) == 4 {
		return field.ErrorList{field.Invalid(path, sid,
			"is the SID of an account, not of its domain: leave the RID out, the last number, and write "+domain+
				strings.Join(parts[:3], "-"))}
	}
	return nil
}

var guid = regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)

// CheckGUID wants that of a domain, without braces.
func CheckGUID(id string, path *field.Path) field.ErrorList {
	if id == "" {
		return field.ErrorList{field.Required(path, "the domain's GUID: ObjectGUID of Get-ADDomain")}
	}
	if guid.MatchString(id) {
		return nil
	}
	if inside := strings.Trim(id, "{}"); guid.MatchString(inside) {
		return field.ErrorList{field.Invalid(path, id, "the GUID of a domain is without braces: write "+inside)}
	}
	return field.ErrorList{field.Invalid(path, id, "must be a GUID, 244818ae-87ac-4fcd-92ec-e79e5252348a for example")}
}

// CheckPluginGUID requires braces, as in the registry and in all documentation of such
// plug-ins.
func CheckPluginGUID(id string, path *field.Path) field.ErrorList {
	const example = "{CCC2A336-D7F3-4818-A213-272B7924213E}"
	if id == "" {
		return field.ErrorList{field.Required(path,
			"the class ID of the plug-in on the nodes, "+example+" for example")}
	}
	inside, ok := strings.CutPrefix(id, "{")
	inside, closed := strings.CutSuffix(inside, "}")
	switch {
	case ok && closed && guid.MatchString(inside):
		return nil
	case guid.MatchString(inside):
		return field.ErrorList{field.Invalid(path, id, "the GUID of a plug-in is in braces: write {"+inside+"}")}
	}
	return field.ErrorList{field.Invalid(path, id, "must be a GUID in braces, "+example+" for example")}
}

// CheckCcgVersion wants a number.
func CheckCcgVersion(version string, path *field.Path) field.ErrorList {
	if _, err := strconv.ParseUint(version, 10, 32); err != nil {
		return field.ErrorList{field.Invalid(path, version, "must be a number: there is version 1")}
	}
	return nil
}
