package users

import (
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/preflight/credspec"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// credentialSpecRules are about Group Managed Service Accounts: the credential specs of pods, and GMSACredentialSpecs.
var credentialSpecRules = []engine.Rule{
	credentialSpecNameMalformed, credentialSpecEmpty, credentialSpecTooLong, credentialSpecOfInitContainer,
	hostAccountIncomplete, accountNameTooLong, credentialSpecWrong,
}

var credentialSpecNameMalformed = engine.Rule{
	Rule: rule.Rule{
		ID: "MK140", Severity: rule.Error, Title: "gmsaCredentialSpecName is not a valid name", Page: rulepages.GMSA,
		Reason: "The field names a GMSACredentialSpec, and names of objects are lower-case DNS names.",
		Fix:    "write the name of a GMSACredentialSpec, or remove it",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: []engine.Check{engine.On(podsWithCredentials, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for ctr, options := range p.AllWindowsOptions {
			name, ok := tree.Text(options["gmsaCredentialSpecName"])
			if !ok {
				continue
			}
			for _, detail := range validation.IsDNS1123Subdomain(name) {
				found = append(found, rule.Problem{
					Path: p.OptionPath(ctr, "gmsaCredentialSpecName"), Type: field.ErrorTypeInvalid,
					Value: options["gmsaCredentialSpecName"], Detail: detail,
				})
			}
		}
		return found
	})},
}

var credentialSpecEmpty = engine.Rule{
	Rule: rule.Rule{
		ID: "MK141", Severity: rule.Error, Title: "gmsaCredentialSpec is empty", Page: rulepages.GMSA,
		Reason: "The field contains a whole credential specification. The webhook for Group Managed Service Accounts " +
			"sets it if only gmsaCredentialSpecName is set.",
		Fix:    "remove it: gmsaCredentialSpecName names the specification",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: []engine.Check{engine.On(podsWithCredentials, func(p *subject.Pods) []rule.Problem {
		return specsOf(p, "gmsaCredentialSpec cannot be an empty string",
			func(spec string) bool { return spec == "" })
	})},
}

// maxCredentialSpec is in bytes, as the API server counts them.
const maxCredentialSpec = 64 << 10

var credentialSpecTooLong = engine.Rule{
	Rule: rule.Rule{
		ID: "MK142", Severity: rule.Error, Title: "gmsaCredentialSpec is too long", Page: rulepages.GMSA,
		Reason: "A credential specification has a few hundred bytes. The API server refuses more than 64 KiB.",
		Fix:    "create a GMSACredentialSpec from it, and name that in gmsaCredentialSpecName",
		Source: sources.APIValidation + sources.WindowsOptionsIn,
	},
	Checks: []engine.Check{engine.On(podsWithCredentials, func(p *subject.Pods) []rule.Problem {
		return specsOf(p, "gmsaCredentialSpec size must be under 64 KiB",
			func(spec string) bool { return len(spec) > maxCredentialSpec })
	})},
}

// specsOf returns a problem for each gmsaCredentialSpec that the API server refuses.
func specsOf(p *subject.Pods, detail string, refuses func(spec string) bool) []rule.Problem {
	var found []rule.Problem
	for ctr, options := range p.AllWindowsOptions {
		if spec, ok := tree.Text(options["gmsaCredentialSpec"]); ok && refuses(spec) {
			found = append(found, rule.Problem{
				Path: p.OptionPath(ctr, "gmsaCredentialSpec"), Type: field.ErrorTypeInvalid,
				Value: options["gmsaCredentialSpec"], Detail: detail,
			})
		}
	}
	return found
}

var credentialSpecOfInitContainer = engine.Rule{
	Rule: rule.Rule{
		ID: "MK517", Severity: rule.Warning, Title: "a gMSA credential spec for an init container only",
		Page:   rulepages.GMSA,
		Reason: "The gMSA webhook sets the credential spec of the pod and of its containers, not of init containers.",
		Fix:    "set it on the pod",
		Source: "https://github.com/kubernetes-sigs/windows-gmsa, admission-webhook/webhook.go",
	},
	Checks: []engine.Check{engine.On(windowsPodsWithOptions, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for ctr, options := range p.AllWindowsOptions {
			if ctr != nil && ctr.List == "initContainers" && subject.NeedsGMSAWebhook(options) {
				found = append(found, rule.Problem{
					Path: p.OptionPath(ctr, "gmsaCredentialSpecName"), Value: options["gmsaCredentialSpecName"],
					Detail: "the gMSA webhook does not look at init containers",
				})
			}
		}
		return found
	})},
}

// credentialSpecs are GMSACredentialSpecs, which are custom resources.
var credentialSpecs = &engine.Scope[*subject.Object]{
	Name: "GMSACredentialSpec",
	Has: func(o *subject.Object) bool {
		kind, _ := tree.Text(o.Tree["kind"])
		version, _ := tree.Text(o.Tree["apiVersion"])
		return kind == "GMSACredentialSpec" && strings.HasPrefix(version, "windows.k8s.io/")
	},
}

var hostAccountIncomplete = engine.Rule{
	Rule: rule.Rule{
		ID: "MK540", Severity: rule.Warning, Page: rulepages.GMSA,
		Title: "a credential spec without the fields that the node's plug-in needs",
		Reason: "Nodes that are not joined to the domain get the password of a Group Managed Service Account from a " +
			"plug-in. The credential spec names the plug-in in HostAccountConfig: PluginGUID in braces, PluginInput " +
			"and PortableCcgVersion. The plug-in of AKS, {CCC2A336-D7F3-4818-A213-272B7924213E}, takes " +
			"ObjectId=…;SecretUri=… as its input. An incomplete credential spec is accepted, but containers fail to " +
			"start or to log on.",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/" +
			"manage-serviceaccounts, https://github.com/kubernetes-sigs/windows-gmsa/pull/47, " +
			"https://github.com/Azure/AKS/issues/3849",
	},
	Checks: []engine.Check{engine.On(credentialSpecs, func(o *subject.Object) []rule.Problem {
		host := tree.Map(tree.At(o.Tree, "credspec", "ActiveDirectoryConfig", "HostAccountConfig"))
		if host == nil {
			return nil // its nodes may be domain-joined
		}
		return incomplete(host)
	})},
}

// ccgVersion is the only version of the interface of plug-ins.
const ccgVersion = "1"

// azureKeyVaultPlugin is the ID of the plug-in of AKS.
const azureKeyVaultPlugin = "{CCC2A336-D7F3-4818-A213-272B7924213E}"

// incomplete checks a HostAccountConfig.
func incomplete(host map[string]any) []rule.Problem {
	var found []rule.Problem
	report := func(field string, v any, detail, fix string) {
		found = append(found, rule.Problem{
			Path:  "credspec.ActiveDirectoryConfig.HostAccountConfig" + pods.Join(field),
			Value: v, Detail: detail, Fix: fix,
		})
	}
	id := host["PluginGUID"]
	plugin, known := tree.Text(id)
	switch {
	case known && plugin != "" && (!strings.HasPrefix(plugin, "{") || !strings.HasSuffix(plugin, "}")):
		report("PluginGUID", id, "is not in braces", "write the class ID of the plug-in as in the Windows registry")
	case plugin == "" && !tree.IsUnknown(id):
		report("PluginGUID", id, "is not set", "write the class ID of the plug-in, in braces")
	}
	input, _ := tree.Text(host["PluginInput"])
	switch {
	case tree.IsUnknown(host["PluginInput"]):
	case input == "":
		report("PluginInput", host["PluginInput"], "is not set", "write the input of the plug-in")
	case strings.EqualFold(plugin, azureKeyVaultPlugin) &&
		(!strings.Contains(input, "ObjectId=") || !strings.Contains(input, "SecretUri=")):
		// The input may contain a password, so it is not shown.
		report("PluginInput", nil, "is not the input that the plug-in of AKS expects",
			"write ObjectId=…;SecretUri=…")
	}
	ccg := host["PortableCcgVersion"]
	version, known := tree.Text(ccg)
	switch {
	case ccg == nil || known && version == "":
		report("PortableCcgVersion", ccg, "is not set", `write "1"`)
	case known && version != ccgVersion:
		report("PortableCcgVersion", ccg, "is not the version of the plug-ins", `write "1"`)
	}
	return found
}

var accountNameTooLong = engine.Rule{
	Rule: rule.Rule{
		ID: "MK542", Severity: rule.Warning, Page: rulepages.GMSA,
		Title: "the name of a Group Managed Service Account with more than 15 characters",
		Reason: "The name of the account is its NetBIOS name, which has at most 15 characters. Active Directory " +
			"stores longer ones, and Microsoft recommends 15 characters to be compatible: older tools and services, " +
			"and NetBIOS, do not find the account by its whole name. The dollar sign at its end does not count.",
		Fix:    "use an account with a shorter SamAccountName",
		Source: "https://learn.microsoft.com/powershell/module/activedirectory/new-adserviceaccount, -SamAccountName",
	},
	Checks: []engine.Check{engine.On(credentialSpecs, longNames)},
}

// mostOfName is how many characters the name of an account can have, without the dollar sign.
const mostOfName = 15

// longNames checks the names of the accounts of a GMSACredentialSpec, and a name that is repeated only once.
func longNames(o *subject.Object) []rule.Problem {
	var found []rule.Problem
	check := func(v any, path string) {
		name, _ := tree.Text(v)
		if utf8.RuneCountInString(strings.TrimSuffix(name, "$")) > mostOfName {
			found = append(found, rule.Problem{Path: path, Value: v, Detail: "has more than 15 characters"})
		}
	}
	spec := tree.Map(o.Tree["credspec"])
	join := tree.Map(spec["DomainJoinConfig"])["MachineAccountName"]
	check(join, "credspec.DomainJoinConfig.MachineAccountName")
	for i, v := range tree.List(tree.At(spec["ActiveDirectoryConfig"], "GroupManagedServiceAccounts")) {
		if name := tree.Map(v)["Name"]; tree.Reveal(name) != tree.Reveal(join) {
			check(name, "credspec.ActiveDirectoryConfig.GroupManagedServiceAccounts"+pods.Join(i, "Name"))
		}
	}
	return found
}

var credentialSpecWrong = engine.Rule{
	Rule: rule.Rule{
		ID: "MK809", Severity: rule.Warning, Page: rulepages.GMSA,
		Title: "a credential spec that New-CredentialSpec would not write",
		Reason: "The cluster accepts any credential spec, and Windows does not report which field is wrong: " +
			"containers fail to start, or cannot log on to the domain. The Sid is the one of the domain, DnsTreeName " +
			"is the forest, and DnsName and NetBiosName are the domain. The names of accounts have neither the " +
			"domain nor a dollar sign. GroupManagedServiceAccounts has the account of DomainJoinConfig twice: with " +
			"DnsName and with NetBiosName as the Scope. gmsa.NewCredentialSpec writes the whole credential spec from " +
			"the names.",
		Fix: "write it as New-CredentialSpec does",
		Source: "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/gmsa-troubleshooting" +
			"#check-the-credential-spec-file",
	},
	Checks: []engine.Check{engine.On(credentialSpecs, func(o *subject.Object) []rule.Problem {
		if tree.IsUnknown(o.Tree["credspec"]) {
			return nil
		}
		var found []rule.Problem
		for _, p := range credspec.Problems(tree.Map(o.Tree["credspec"]), field.NewPath("credspec")) {
			found = append(found, rule.Problem{Path: p.Path, Value: p.Value, Detail: p.Detail, Fix: p.Fix})
		}
		return found
	})},
}
