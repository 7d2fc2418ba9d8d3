package preflight

import (
	"strings"
	"unicode/utf8"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var hostAccountIncomplete = rule.Rule{
	ID: "MK540", Severity: rule.Warning, Title: "a credential spec without the fields that the node's plug-in needs",
	Reason: "Nodes that are not joined to the domain get the password of a Group Managed Service Account from a " +
		"plug-in. The credential spec names the plug-in in HostAccountConfig: PluginGUID in braces, PluginInput and " +
		"PortableCcgVersion. The plug-in of AKS, {CCC2A336-D7F3-4818-A213-272B7924213E}, takes " +
		"ObjectId=…;SecretUri=… as its input. An incomplete credential spec is accepted, but containers fail to " +
		"start or to log on.",
	Source: "https://learn.microsoft.com/virtualization/windowscontainers/manage-containers/manage-serviceaccounts, " +
		"https://github.com/kubernetes-sigs/windows-gmsa/pull/47, https://github.com/Azure/AKS/issues/3849",
}

var accountNameTooLong = rule.Rule{
	ID: "MK542", Severity: rule.Warning, Title: "the name of a Group Managed Service Account with more than 15 " +
		"characters",
	Reason: "The name of the account is its NetBIOS name, which has at most 15 characters. Active Directory stores " +
		"longer ones, and Microsoft recommends 15 characters to be compatible: older tools and services, and " +
		"NetBIOS, " +
		"do not find the account by its whole name. The dollar sign at its end does not count.",
	Source: "https://learn.microsoft.com/powershell/module/activedirectory/new-adserviceaccount, -SamAccountName",
}

// mostOfName is how many characters the name of an account can have, without the dollar sign.
const mostOfName = 15

// accountNames checks the names of the accounts of a GMSACredentialSpec.
func (c *check) accountNames(spec map[string]any) {
	check := func(v any, path string) {
		name, _ := tree.Text(v)
		name = strings.TrimSuffix(name, "$")
		if utf8.RuneCountInString(name) <= mostOfName {
			return
		}
		c.report(accountNameTooLong, rule.Problem{
			Path: path, Value: v, Detail: "has more than 15 characters",
			Fix: "use an account with a shorter SamAccountName",
		})
	}
	join := tree.Map(spec["DomainJoinConfig"])["MachineAccountName"]
	check(join, "credspec.DomainJoinConfig.MachineAccountName")
	for i, v := range tree.List(tree.At(spec["ActiveDirectoryConfig"], "GroupManagedServiceAccounts")) {
		if name := tree.Map(v)["Name"]; tree.Reveal(name) != tree.Reveal(join) {
			check(name, "credspec.ActiveDirectoryConfig.GroupManagedServiceAccounts"+pods.Join(i, "Name"))
		}
	}
}

// azureKeyVaultPlugin is the ID of the plug-in of AKS.
const azureKeyVaultPlugin = "{CCC2A336-D7F3-4818-A213-272B7924213E}"

// credentialSpec checks a GMSACredentialSpec.
func (c *check) credentialSpec() {
	kind, _ := tree.Text(c.object["kind"])
	version, _ := tree.Text(c.object["apiVersion"])
	if kind != "GMSACredentialSpec" || !strings.HasPrefix(version, "windows.k8s.io/") {
		return
	}
	c.accountNames(tree.Map(c.object["credspec"]))
	host := tree.Map(tree.At(c.object, "credspec", "ActiveDirectoryConfig", "HostAccountConfig"))
	if host == nil {
		return // its nodes may be domain-joined
	}
	incomplete := func(field, detail, fix string) {
		c.report(hostAccountIncomplete, rule.Problem{
			Path:  "credspec.ActiveDirectoryConfig.HostAccountConfig" + pods.Join(field),
			Value: host[field], Detail: detail, Fix: fix,
		})
	}
	plugin, known := tree.Text(host["PluginGUID"])
	switch {
	case known && plugin != "" && (!strings.HasPrefix(plugin, "{") || !strings.HasSuffix(plugin, "}")):
		incomplete("PluginGUID", "is not in braces", "write the class ID of the plug-in as in the Windows registry")
	case plugin == "" && !tree.IsUnknown(host["PluginGUID"]):
		incomplete("PluginGUID", "is not set", "write the class ID of the plug-in, in braces")
	}
	input, _ := tree.Text(host["PluginInput"])
	switch {
	case tree.IsUnknown(host["PluginInput"]):
	case input == "":
		incomplete("PluginInput", "is not set", "write the input of the plug-in")
	case strings.EqualFold(plugin, azureKeyVaultPlugin) &&
		(!strings.Contains(input, "ObjectId=") || !strings.Contains(input, "SecretUri=")):
		// The input may contain a password, so it is not shown.
		c.report(hostAccountIncomplete, rule.Problem{
			Path:   "credspec.ActiveDirectoryConfig.HostAccountConfig.PluginInput",
			Detail: "is not the input that the plug-in of AKS expects", Fix: "write ObjectId=…;SecretUri=…",
		})
	}
	if ccg := host["PortableCcgVersion"]; ccg == nil || ccg == "" {
		incomplete("PortableCcgVersion", "is not set", `write "1"`)
	}
}
