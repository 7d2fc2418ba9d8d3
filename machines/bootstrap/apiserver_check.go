package bootstrap

import (
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Validate returns everything that is wrong with the options, with paths below path.
func (o APIServerOptions) Validate(path *field.Path) field.ErrorList {
	errs := o.Audit.validate(path.Child("audit"))
	errs = append(errs, o.OIDC.validate(path.Child("oidc"))...)
	levels := []string{podSecurityPrivileged, "baseline", "restricted"}
	if o.PodSecurity != "" && !slices.Contains(levels, o.PodSecurity) {
		errs = append(errs, field.Invalid(path.Child("podSecurity"), o.PodSecurity,
			fielderrors.Unknown("Pod Security Standard", o.PodSecurity, levels)))
	}
	for i, name := range o.CertSANs {
		errs = append(errs, validateSAN(name, path.Child("certSANs").Index(i))...)
	}
	return append(errs, o.validateExtraArgs(path)...)
}

func validateSAN(name string, path *field.Path) field.ErrorList {
	if _, err := netip.ParseAddr(name); err == nil && !strings.Contains(name, "%") {
		return nil
	}
	if len(validation.IsDNS1123Subdomain(name)) == 0 || len(validation.IsWildcardDNS1123Subdomain(name)) == 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(path, name,
		"must be a DNS name in lower case or an IP address, api.example.com or 203.0.113.10 for example, without a "+
			"port")}
}

var argName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func (o APIServerOptions) validateExtraArgs(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(o.ExtraArgs)) {
		at := path.Child("extraArgs").Key(name)
		value := o.ExtraArgs[name]
		switch {
		case !argName.MatchString(name):
			errs = append(errs, field.Invalid(at, name,
				"is not the name of an argument: write it in lower case without the dashes before it, "+
					"event-ttl for example"))
		case optionOfArg[name] != "":
			errs = append(errs, field.Invalid(at, value, fmt.Sprintf("the library sets it: use %s",
				path.Child(optionOfArg[name]))))
		case slices.Contains(kubeadmArgs, name):
			errs = append(errs, field.Invalid(at, value, "kubeadm sets it as the cluster needs it: remove it"))
		case unsafeArgs[name] != "":
			errs = append(errs, field.Invalid(at, value, unsafeArgs[name]+": remove it"))
		case isBroken(value):
			errs = append(errs, field.Invalid(at, value, brokenText))
		default:
			errs = append(errs, validateArgValue(name, value, at)...)
		}
	}
	return errs
}

const brokenText = "has a control character, or is not UTF-8: remove that"

// isBroken reports whether no file of a node can contain a text of one line.
func isBroken(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl)
}

// validateArgValue accepts the values of an argument that are as safe as its default.
func validateArgValue(name, value string, path *field.Path) field.ErrorList {
	invalid := func(detail string) field.ErrorList { return field.ErrorList{field.Invalid(path, value, detail)} }
	plugins := strings.Split(value, ",")
	switch name {
	case profilingArg:
		if value != "false" {
			return invalid("profiles show what an API server does inside, and make it slow: remove it")
		}
	case accountLookupArg:
		if value != "true" {
			return invalid("tokens of deleted service accounts would stay valid: remove it")
		}
	case tlsMinVersionArg:
		if value != tls12 && value != tls13 {
			return invalid("must be VersionTLS12 or VersionTLS13")
		}
	case enablePluginsArg:
		if !slices.Contains(plugins, nodeRestriction) {
			return invalid("it replaces kubeadm's list: add NodeRestriction, which keeps a node from changing others")
		}
		if slices.Contains(plugins, "AlwaysAdmit") {
			return invalid("AlwaysAdmit is deprecated and without effect: remove it")
		}
	case disablePluginsArg:
		for _, plugin := range plugins {
			if slices.Contains(protectingPlugins, plugin) {
				return invalid(plugin + " keeps users and nodes apart: remove it from the list")
			}
		}
	}
	return nil
}

func (a Audit) validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, limit := range []struct {
		name  string
		value int
	}{{"maxAgeDays", a.MaxAgeDays}, {"maxBackups", a.MaxBackups}, {"maxSizeMB", a.MaxSizeMB}} {
		if limit.value < 0 {
			errs = append(errs, field.Invalid(path.Child(limit.name), limit.value,
				"must not be negative: 0 means the default"))
		}
	}
	if a.Policy == "" {
		return errs
	}
	if a.Disabled {
		errs = append(errs, field.Invalid(path.Child("disabled"), true,
			"cannot be combined with policy: remove one of them"))
	}
	return append(errs, validateAuditPolicy(a.Policy, path.Child("policy"))...)
}

// clusterIssuer is the issuer of the cluster's own service accounts, as in kubeadm.
const clusterIssuer = "https://kubernetes.default.svc." + clusterDomain

// validate follows k8s.io/apiserver/pkg/apis/apiserver/validation: with anything else the
// API server does not start.
func (o OIDC) validate(path *field.Path) field.ErrorList {
	if o == (OIDC{}) {
		return nil
	}
	errs := validateIssuer(o.IssuerURL, path.Child("issuerURL"))
	if o.ClientID == "" {
		errs = append(errs, field.Required(path.Child("clientID"),
			"without it, the API server would accept tokens for other clients: set the ID of the client that "+
				"kubectl uses"))
	}
	if o.GroupsClaim == "" && o.GroupsPrefix != "" {
		errs = append(errs, field.Required(path.Child("groupsClaim"), "groupsPrefix is set: set groupsClaim too"))
	}
	if o.CA != "" {
		if _, err := parseCertificates(o.CA); err != nil {
			errs = append(errs, field.Invalid(path.Child("ca"), field.OmitValueType{}, err.Error()))
		}
	}
	for _, text := range []struct{ name, value string }{
		{"clientID", o.ClientID},
		{"usernameClaim", o.UsernameClaim},
		{"usernamePrefix", o.UsernamePrefix},
		{"groupsClaim", o.GroupsClaim},
		{"groupsPrefix", o.GroupsPrefix},
	} {
		switch at := path.Child(text.name); {
		case isBroken(text.value):
			errs = append(errs, field.Invalid(at, text.value, brokenText))
		case strings.HasSuffix(text.name, "Prefix") && strings.HasPrefix(text.value, "system:"):
			errs = append(errs, field.Invalid(at, text.value,
				"system: is reserved for Kubernetes: use another prefix, for example oidc:"))
		}
	}
	return errs
}

func validateIssuer(issuer string, path *field.Path) field.ErrorList {
	if issuer == "" {
		return field.ErrorList{field.Required(path,
			"the URL of the provider, https://login.example.com for example, as in the claim iss of its tokens")}
	}
	u, err := url.Parse(issuer)
	detail := ""
	switch {
	case err != nil || u.Host == "" || isBroken(issuer):
		detail = "is not a URL: write it as https://login.example.com"
	case u.Scheme != "https":
		detail = "its scheme must be https"
	case u.User != nil:
		return field.ErrorList{field.Invalid(path, field.OmitValueType{}, "must not have a user or a password")}
	case u.RawQuery != "" || u.Fragment != "":
		detail = "must not have a query or a fragment"
	case issuer == clusterIssuer:
		detail = "is the issuer of the cluster's own service accounts: use another one"
	}
	if detail == "" {
		return nil
	}
	return field.ErrorList{field.Invalid(path, issuer, detail)}
}
