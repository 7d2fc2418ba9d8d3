package gmsa_test

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// with changes the domain of all tests.
func with(change func(*gmsa.Domain)) *gmsa.CredentialSpecArgs {
	domain := contoso()
	change(&domain)
	return &gmsa.CredentialSpecArgs{Account: "WebApp1", Domain: domain}
}

const (
	theFile = ": give the content of the file that New-CredentialSpec has written"
	scopes  = "json.ActiveDirectoryConfig.GroupManagedServiceAccounts: Required value: "
	sidForm = "must be the SID of the domain, S-1-5-21 and three numbers of 32 bits, " +
		"S-1-5-21-2126449477-2524075714-3094792973 for example"
	dnsForm = "must be a DNS name, contoso.com for example: labels of 1 to 63 letters, digits and hyphens, with " +
		"dots between them"
	whitespace = "must not begin or end with whitespace, nor have control characters: remove them"
)

// Texts of Kubernetes, which the errors quote.
var (
	subdomain = validation.IsDNS1123Subdomain("_")[0]
	label     = validation.IsDNS1123Label("_")[0]
	label1035 = validation.IsDNS1035Label("_")[0]
)

func TestInvalidDescriptions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args *gmsa.CredentialSpecArgs
		want string
	}{
		{
			"nothing", nil, "account: Required value: describe an account with account and domain, or give the " +
				"content of New-CredentialSpec's file in json",
		},
		{
			"a name that is not a DNS subdomain",
			&gmsa.CredentialSpecArgs{Name: "gmsa-WebApp1", Account: "WebApp1", Domain: contoso()},
			`name: Invalid value: "gmsa-WebApp1": ` + subdomain,
		},
		{"an account alone", &gmsa.CredentialSpecArgs{Account: "WebApp1"}, strings.Join([]string{
			"domain.dnsName: Required value: the domain's full name, contoso.com for example",
			"domain.guid: Required value: the domain's GUID: ObjectGUID of Get-ADDomain",
			"domain.netBIOSName: Required value: the domain's short name, CONTOSO for example",
			"domain.sid: Required value: the domain's SID: DomainSID of Get-ADDomain",
		}, "\n")},
		{
			"a domain alone", &gmsa.CredentialSpecArgs{Domain: contoso()},
			"account: Required value: the account's sAMAccountName, WebApp1 for example",
		},
		{
			"an account with its domain", &gmsa.CredentialSpecArgs{Account: `CONTOSO\WebApp1`, Domain: contoso()},
			`account: Invalid value: "CONTOSO\\WebApp1": must be the account's name alone: leave the domain out`,
		},
		{
			"an account as a principal", &gmsa.CredentialSpecArgs{Account: "WebApp1@contoso.com", Domain: contoso()},
			`account: Invalid value: "WebApp1@contoso.com": must be the account's name alone: leave the domain out`,
		},
		{
			"an account with a character that none has",
			&gmsa.CredentialSpecArgs{Account: "Web/App1", Domain: contoso()},
			`account: Invalid value: "Web/App1": an account's name cannot contain any of "/\[]:;|=,+*?<>: write its ` +
				`sAMAccountName`,
		},
		{
			"an account with a line end", &gmsa.CredentialSpecArgs{Account: "WebApp1\n", Domain: contoso()},
			`account: Invalid value: "WebApp1\n": ` + whitespace,
		},
		{
			"an account without a name", &gmsa.CredentialSpecArgs{Account: "$", Domain: contoso()},
			`account: Invalid value: "$": must have a name before the dollar sign`,
		},
		{
			"the SID of an account", with(func(d *gmsa.Domain) { d.SID += "-1104" }),
			`domain.sid: Invalid value: "S-1-5-21-2126449477-2524075714-3094792973-1104": is the SID of an account, ` +
				`not of its domain: leave the RID out, the last number, and write ` +
				`S-1-5-21-2126449477-2524075714-3094792973`,
		},
		{
			"a SID of two numbers", with(func(d *gmsa.Domain) { d.SID = "S-1-5-21-1-2" }),
			`domain.sid: Invalid value: "S-1-5-21-1-2": ` + sidForm,
		},
		{
			"a SID with too large a number", with(func(d *gmsa.Domain) { d.SID = "S-1-5-21-1-2-4294967296" }),
			`domain.sid: Invalid value: "S-1-5-21-1-2-4294967296": ` + sidForm,
		},
		{
			"a SID with a zero before a number", with(func(d *gmsa.Domain) { d.SID = "S-1-5-21-1-2-03" }),
			`domain.sid: Invalid value: "S-1-5-21-1-2-03": ` + sidForm,
		},
		{
			"the SID of a group of the machine", with(func(d *gmsa.Domain) { d.SID = "S-1-5-32-544" }),
			`domain.sid: Invalid value: "S-1-5-32-544": ` + sidForm,
		},
		{
			"a GUID in braces", with(func(d *gmsa.Domain) { d.GUID = "{244818ae-87ac-4fcd-92ec-e79e5252348a}" }),
			`domain.guid: Invalid value: "{244818ae-87ac-4fcd-92ec-e79e5252348a}": the GUID of a domain is without ` +
				`braces: write 244818ae-87ac-4fcd-92ec-e79e5252348a`,
		},
		{
			"no GUID", with(func(d *gmsa.Domain) { d.GUID = "244818ae87ac4fcd92ece79e5252348a" }),
			`domain.guid: Invalid value: "244818ae87ac4fcd92ece79e5252348a": must be a GUID, ` +
				`244818ae-87ac-4fcd-92ec-e79e5252348a for example`,
		},
		{
			"a NetBIOS name of 16 characters", with(func(d *gmsa.Domain) { d.NetBIOSName = "CONTOSOCONTOSOXX" }),
			`domain.netBIOSName: Invalid value: "CONTOSOCONTOSOXX": must have at most 15 characters: write the ` +
				`domain's short name, NetBIOSName of Get-ADDomain`,
		},
		{
			"the DNS name for the NetBIOS name", with(func(d *gmsa.Domain) { d.NetBIOSName = "Contoso.com" }),
			`domain.netBIOSName: Invalid value: "Contoso.com": is the domain's DNS name: write its short name, ` +
				`CONTOSO for example`,
		},
		{
			"a NetBIOS name with a backslash", with(func(d *gmsa.Domain) { d.NetBIOSName = `CONTOSO\` }),
			`domain.netBIOSName: Invalid value: "CONTOSO\\": a NetBIOS name cannot contain any of \/:*?"<>|: write ` +
				`NetBIOSName of Get-ADDomain`,
		},
		{
			"a NetBIOS name with a dot before it", with(func(d *gmsa.Domain) { d.NetBIOSName = ".CONTOSO" }),
			`domain.netBIOSName: Invalid value: ".CONTOSO": a NetBIOS name cannot begin with a dot: write ` +
				`NetBIOSName of Get-ADDomain`,
		},
		{
			"a NetBIOS name with a space after it", with(func(d *gmsa.Domain) { d.NetBIOSName = "CONTOSO " }),
			`domain.netBIOSName: Invalid value: "CONTOSO ": ` + whitespace,
		},
		{
			"a DNS name with the root", with(func(d *gmsa.Domain) { d.DNSName = "contoso.com." }),
			`domain.dnsName: Invalid value: "contoso.com.": must not end with a dot: write contoso.com`,
		},
		{
			"an address for a DNS name", with(func(d *gmsa.Domain) { d.DNSName = "ldap://contoso.com" }),
			`domain.dnsName: Invalid value: "ldap://contoso.com": ` + dnsForm,
		},
		{
			"a label too long", with(func(d *gmsa.Domain) { d.DNSName = strings.Repeat("a", 64) + ".com" }),
			`domain.dnsName: Invalid value: "` + strings.Repeat("a", 64) + `.com": ` + dnsForm,
		},
		{
			"a DNS name too long", with(func(d *gmsa.Domain) { d.DNSName = strings.Repeat("a.", 128) + "a" }),
			`domain.dnsName: Too long: may not be more than 255 bytes`,
		},
		{
			"another forest's name", with(func(d *gmsa.Domain) { d.DNSTreeName = "contoso com" }),
			`domain.dnsTreeName: Invalid value: "contoso com": ` + dnsForm,
		},
		{
			"a plug-in without braces, input and a version that is a number",
			&gmsa.CredentialSpecArgs{Account: "WebApp1", Domain: contoso(), HostAccountConfig: gmsa.HostAccountConfig{
				PluginGUID: "CCC2A336-D7F3-4818-A213-272B7924213E", PortableCcgVersion: "v1",
			}},
			strings.Join([]string{
				`hostAccountConfig.pluginGUID: Invalid value: "CCC2A336-D7F3-4818-A213-272B7924213E": the GUID of a ` +
					`plug-in is in braces: write {CCC2A336-D7F3-4818-A213-272B7924213E}`,
				"hostAccountConfig.pluginInput: Required value: what the plug-in needs to know, in its own form",
				`hostAccountConfig.portableCcgVersion: Invalid value: "v1": must be a number: there is version 1`,
			}, "\n"),
		},
		{
			"an input without a plug-in",
			&gmsa.CredentialSpecArgs{
				Account: "WebApp1", Domain: contoso(),
				HostAccountConfig: gmsa.HostAccountConfig{PluginInput: pulumi.String("hunter2")},
			},
			"hostAccountConfig.pluginGUID: Required value: the class ID of the plug-in on the nodes, " +
				"{CCC2A336-D7F3-4818-A213-272B7924213E} for example",
		},
		{
			"a plug-in that is not a GUID",
			&gmsa.CredentialSpecArgs{Account: "WebApp1", Domain: contoso(), HostAccountConfig: gmsa.HostAccountConfig{
				PluginGUID: "{GDMA0342-266A-4D1P-831J-20990E82944F}", PluginInput: pulumi.String("hunter2"),
			}},
			`hostAccountConfig.pluginGUID: Invalid value: "{GDMA0342-266A-4D1P-831J-20990E82944F}": must be a GUID ` +
				`in braces, {CCC2A336-D7F3-4818-A213-272B7924213E} for example`,
		},
		{
			"service accounts with wrong names, and one twice",
			&gmsa.CredentialSpecArgs{Account: "WebApp1", Domain: contoso(), ServiceAccounts: []gmsa.ServiceAccount{
				{}, {Namespace: "Shop", Name: "web_1"}, {Namespace: "default", Name: "default"},
			}},
			strings.Join([]string{
				`serviceAccounts[1].name: Invalid value: "web_1": ` + subdomain,
				`serviceAccounts[1].namespace: Invalid value: "Shop": ` + label,
				`serviceAccounts[2]: Duplicate value: "default/default"`,
			}, "\n"),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newSpec(tt.args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, joined(`mixedkube:gmsa:CredentialSpec "web"`, tt.want))
		})
	}
}

// joined returns how several errors look.
func joined(subject, errs string) string {
	if !strings.Contains(errs, "\n") {
		return subject + ": " + errs
	}
	return subject + ":\n  " + strings.ReplaceAll(errs, "\n", "\n  ")
}

// Values with more than one right form are accepted in each.
func TestValidDescriptions(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*gmsa.CredentialSpecArgs{
		"a GUID in upper case":                   with(func(d *gmsa.Domain) { d.GUID = strings.ToUpper(d.GUID) }),
		"a domain of one label":                  with(func(d *gmsa.Domain) { d.DNSName = "contoso" }),
		"an old name with an underscore":         with(func(d *gmsa.Domain) { d.DNSName = "old_contoso.local" }),
		"a NetBIOS name of 15 characters":        with(func(d *gmsa.Domain) { d.NetBIOSName = "CONTOSO-EU&CO.1" }),
		"a SID with zero and the largest number": with(func(d *gmsa.Domain) { d.SID = "S-1-5-21-0-1-4294967295" }),
		"a plug-in in lower case": {Account: "WebApp1", Domain: contoso(), HostAccountConfig: gmsa.HostAccountConfig{
			PluginGUID: "{e4781092-f116-4b79-b55e-28eb6a224e26}", PluginInput: pulumi.String("ns:secret"),
			PortableCcgVersion: "2",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mocktest.MustRun(t, newSpec(args))
		})
	}
}

func TestWrongJSON(t *testing.T) {
	t.Parallel()
	plugin := file(t, "plugin.json")
	// replaced is the file with one change.
	replaced := func(old, text string) *gmsa.CredentialSpecArgs {
		t.Helper()
		if strings.Count(plugin, old) != 1 {
			t.Fatalf("%q is not once in the file", old)
		}
		return &gmsa.CredentialSpecArgs{JSON: strings.Replace(plugin, old, text, 1)}
	}
	tests := []struct {
		name string
		args *gmsa.CredentialSpecArgs
		want string
	}{
		{
			"both forms",
			&gmsa.CredentialSpecArgs{Account: "WebApp1", Domain: contoso(), JSON: plugin},
			"json: Forbidden: cannot be combined with account, domain: set one of the two",
		},
		{
			"a plug-in beside it",
			&gmsa.CredentialSpecArgs{
				HostAccountConfig: gmsa.HostAccountConfig{PluginInput: pulumi.String("hunter2")},
				JSON:              plugin,
			},
			"json: Forbidden: cannot be combined with hostAccountConfig: set one of the two",
		},
		{
			"a comma too many", replaced(`"NetBiosName": "EU"`, `"NetBiosName": "EU",`),
			"json: Invalid value: line 10: not JSON: invalid character '}' looking for beginning of object key string" +
				theFile,
		},
		{
			"half of it", &gmsa.CredentialSpecArgs{JSON: plugin[:len(plugin)/2]},
			"json: Invalid value: line 12: not JSON: unexpected end of JSON input" + theFile,
		},
		{
			"YAML", &gmsa.CredentialSpecArgs{JSON: "{CmsPlugins: [ActiveDirectory]}"},
			"json: Invalid value: line 1: not JSON: invalid character 'C' looking for beginning of object key string" +
				theFile,
		},
		{"a list", &gmsa.CredentialSpecArgs{JSON: "[]"}, "json: Invalid value: line 1: must be an object"},
		{"null", &gmsa.CredentialSpecArgs{JSON: "null"}, "json: Invalid value: line 1: must be one JSON object"},
		{"an empty object", &gmsa.CredentialSpecArgs{JSON: "{}"}, strings.Join([]string{
			"json.ActiveDirectoryConfig: Required value: line 1: an object with the accounts of containers and hosts",
			"json.CmsPlugins: Required value: line 1: a list with one element at least",
			"json.DomainJoinConfig: Required value: line 1: an object with what identifies the domain",
		}, "\n")},
		{
			"a key twice", replaced(`"DnsName": "eu.contoso.com",`,
				`"DnsName": "eu.contoso.com", "DnsName": "contoso.com",`),
			`json: Invalid value: line 8: duplicate key "DnsName": line 8 has it already`,
		},
		{"a key in the wrong case", replaced(`"Sid"`, `"SID"`), strings.Join([]string{
			`json.DomainJoinConfig.SID: Invalid value: line 4: unknown key: did you mean "Sid"? (use Sid, ` +
				`MachineAccountName, Guid, DnsTreeName, DnsName or NetBiosName)`,
			"json.DomainJoinConfig.Sid: Required value: line 3: New-CredentialSpec writes it",
		}, "\n")},
		{
			"an unknown key", replaced(`"HostAccountConfig": {`, `"Password": "hunter2", "HostAccountConfig": {`),
			"json.ActiveDirectoryConfig.Password: Invalid value: line 17: unknown key (use " +
				"GroupManagedServiceAccounts or HostAccountConfig)",
		},
		{
			"an input that is an object", replaced(`"contoso.com:ccg:hunter2"`, `{"password": "hunter2"}`),
			"json.ActiveDirectoryConfig.HostAccountConfig.PluginInput: Invalid value: line 20: must be a string",
		},
		{
			"a version that is a number", replaced(`"PortableCcgVersion": "1"`, `"PortableCcgVersion": 1`),
			"json.ActiveDirectoryConfig.HostAccountConfig.PortableCcgVersion: Invalid value: line 18: " +
				"must be a string: write it in quotes",
		},
		{
			"accounts that are an object", replaced(`      {"Name": "WebApp2", "Scope": "eu.contoso.com"},
      {"Name": "WebApp2", "Scope": "EU"},
      {"Name": "Log1", "Scope": "contoso.com"}
`, `"WebApp2"`),
			"json.ActiveDirectoryConfig.GroupManagedServiceAccounts[0]: Invalid value: line 13: must be an object",
		},
		{
			"another plug-in than Active Directory", replaced(`["ActiveDirectory"]`, `["Kerberos"]`),
			"json.CmsPlugins: Invalid value: line 2: must contain ActiveDirectory",
		},
		{
			"an empty scope", replaced(`"Scope": "EU"`, `"Scope": ""`),
			"json.ActiveDirectoryConfig.GroupManagedServiceAccounts[1].Scope: Required value: line 14: " +
				"New-CredentialSpec writes it",
		},
		{
			"a scope that is neither name of the domain", replaced(`"Scope": "EU"`, `"Scope": "CONTOSO"`),
			scopes + `line 12: an element with the Name "WebApp2" and the Scope "EU": the account of ` +
				`DomainJoinConfig in its NetBiosName`,
		},
		{
			"another account", replaced(`"MachineAccountName": "WebApp2"`, `"MachineAccountName": "Log1"`),
			strings.Join([]string{
				scopes + `line 12: an element with the Name "Log1" and the Scope "eu.contoso.com": the account of ` +
					`DomainJoinConfig in its DnsName`,
				scopes + `line 12: an element with the Name "Log1" and the Scope "EU": the account of ` +
					`DomainJoinConfig in its NetBiosName`,
			}, "\n"),
		},
		{"wrong values", &gmsa.CredentialSpecArgs{JSON: strings.NewReplacer("2126449477-", "", `"EU"`,
			`"CONTOSOCONTOSOXX"`, `"{CCC`, `"CCC`).Replace(plugin)}, strings.Join([]string{
			`json.ActiveDirectoryConfig.HostAccountConfig.PluginGUID: Invalid value: ` +
				`"CCC2A336-D7F3-4818-A213-272B7924213E}": line 19: the GUID of a plug-in is in braces: write ` +
				`{CCC2A336-D7F3-4818-A213-272B7924213E}`,
			`json.DomainJoinConfig.NetBiosName: Invalid value: "CONTOSOCONTOSOXX": line 9: must have at most 15 ` +
				`characters: write the domain's short name, NetBIOSName of Get-ADDomain`,
			`json.DomainJoinConfig.Sid: Invalid value: "S-1-5-21-2524075714-3094792973": line 4: ` + sidForm,
		}, "\n")},
		{
			"more than a pod can have", replaced("contoso.com:ccg:hunter2", strings.Repeat("x", 64<<10)),
			"json: Too long: line 1: may not be more than 65536 bytes",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(newSpec(tt.args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, joined(`mixedkube:gmsa:CredentialSpec "web"`, tt.want))
			if strings.Contains(err.Error(), "hunter2") {
				t.Error("the error shows the input of the plug-in")
			}
		})
	}
}
