package preflight_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// only returns the texts of the findings of a rule.
func only(id string, found []preflight.Finding) []string {
	return texts(slices.DeleteFunc(found, func(f preflight.Finding) bool { return f.Rule != id }))
}

func TestCredentialSpecsNameThePlugin(t *testing.T) {
	t.Parallel()
	const (
		guid  = "PluginGUID: '{CCC2A336-D7F3-4818-A213-272B7924213E}'"
		other = "PluginGUID: '{859E1386-BDB4-49E8-85C7-3070B13920E1}'"
		input = ", PluginInput: 'ObjectId=a;SecretUri=b'"
		ccg   = ", PortableCcgVersion: '1'"
		at    = "warning credspec.ActiveDirectoryConfig.HostAccountConfig."
	)
	for _, tt := range []struct {
		name, host string
		want       []string
	}{
		{name: "complete", host: guid + input + ccg},
		{name: "of another plug-in", host: other + ", PluginInput: a" + ccg},
		{name: "not known", host: "PluginGUID: $unknown, PluginInput: $unknown" + ccg},
		{
			name: "no class ID", host: "PluginInput: a" + ccg,
			want: []string{at + "PluginGUID: is not set: write the class ID of the plug-in, in braces (MK540)"},
		},
		{
			name: "no braces", host: "PluginGUID: CCC2A336-D7F3-4818-A213-272B7924213E" + input + ccg,
			want: []string{at + `PluginGUID: "CCC2A336-D7F3-4818-A213-272B7924213E": is not in braces: write the ` +
				`class ID of the plug-in as in the Windows registry (MK540)`},
		},
		{
			name: "no input and no version", host: guid,
			want: []string{
				at + "PluginInput: is not set: write the input of the plug-in (MK540)",
				at + `PortableCcgVersion: is not set: write "1" (MK540)`,
			},
		},
		{
			name: "another version", host: guid + input + ", PortableCcgVersion: '2'",
			want: []string{at + `PortableCcgVersion: "2": is not the version of the plug-ins: write "1" (MK540)`},
		},
		{
			name: "the input of another plug-in", host: guid + ", PluginInput: 'example.com:shop:password'" + ccg,
			want: []string{at + "PluginInput: is not the input that the plug-in of AKS expects: write " +
				"ObjectId=…;SecretUri=… (MK540)"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			spec := func(more string) []string {
				object := fromYAML(t, "{apiVersion: windows.k8s.io/v1, kind: GMSACredentialSpec, credspec: "+
					"{ActiveDirectoryConfig: {"+more+"}}}")[0]
				return only("MK540", preflight.Check(object, v136))
			}
			if diff := cmp.Diff(tt.want, spec("HostAccountConfig: {"+tt.host+"}")); diff != "" {
				t.Errorf("Check() (-want +got):\n%s", diff)
			}
			if got := spec("GroupManagedServiceAccounts: []"); len(got) > 0 {
				t.Errorf("without HostAccountConfig: %q", got)
			}
		})
	}
}

func TestNamesOfAccountsAreNotTooLong(t *testing.T) {
	t.Parallel()
	const (
		join   = "credspec.DomainJoinConfig.MachineAccountName: "
		member = "credspec.ActiveDirectoryConfig.GroupManagedServiceAccounts[1].Name: "
		wrong  = "has more than 15 characters: use an account with a shorter SamAccountName (MK542)"
	)
	for _, tt := range []struct {
		join, member string
		want         []string
	}{
		{"WebApplication1", "WebApplication1$", nil},
		{"WebApplication01", "WebApplication01", []string{"warning " + join + `"WebApplication01": ` + wrong}},
		{"WebApp1", "WebApplication-01$", []string{"warning " + member + `"WebApplication-01$": ` + wrong}},
		{"WebÄpplicätiön1", "", nil},
		{"$unknown", "$unknown", nil},
		{"$secret-WebApplication01", "", []string{"warning " + join + "[secret]: " + wrong}},
	} {
		object := fromYAML(t, "{apiVersion: windows.k8s.io/v1, kind: GMSACredentialSpec, credspec: {DomainJoinConfig: "+
			"{MachineAccountName: "+tt.join+"}, ActiveDirectoryConfig: {GroupManagedServiceAccounts: [{Name: A}, "+
			"{Name: '"+tt.member+"'}]}}}")[0]
		if diff := cmp.Diff(tt.want, only("MK542", preflight.Check(object, v136))); diff != "" {
			t.Errorf("%s, %s: Check() (-want +got):\n%s", tt.join, tt.member, diff)
		}
	}
}

func TestCredentialSpecsThatNewCredentialSpecWouldNotWrite(t *testing.T) {
	t.Parallel()
	const (
		good = `{CmsPlugins: [ActiveDirectory], DomainJoinConfig: {
			Sid: S-1-5-21-2126449477-2524075714-3094792973, MachineAccountName: WebApp1,
			Guid: 244818ae-87ac-4fcd-92ec-e79e5252348a, DnsTreeName: contoso.com, DnsName: contoso.com,
			NetBiosName: CONTOSO}, ActiveDirectoryConfig: {GroupManagedServiceAccounts: [
			{Name: WebApp1, Scope: CONTOSO}, {Name: WebApp1, Scope: contoso.com}]}}`
		join, accounts = "warning credspec.DomainJoinConfig.", "warning credspec.ActiveDirectoryConfig."
		group          = accounts + "GroupManagedServiceAccounts"
		fix            = ": write it as New-CredentialSpec does (MK809)"
		notSet         = ": is not set" + fix
	)
	change := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(good) }
	scope := func(name, of string) string {
		return group + `: lacks an element with the Name "WebApp1" and the Scope "` + name + `": the account of ` +
			"DomainJoinConfig in its " + of + ": add it (MK809)"
	}
	for _, tt := range []struct {
		name, spec string
		want       []string
	}{
		{"right", good, nil},
		{"not known", "$unknown", nil},
		{"parts that are not known", change("MachineAccountName: WebApp1", "MachineAccountName: $unknown",
			"Sid: S-1-5-21-2126449477-2524075714-3094792973", "Sid: $unknown", "contoso.com}]", "$unknown}]"), nil},
		{"an account that is not known", change("{Name: WebApp1, Scope: CONTOSO}", "$unknown"), nil},
		{"plug-ins that are not known", change("[ActiveDirectory]", "$unknown"), nil},
		{"empty", "{}", []string{
			"warning credspec.CmsPlugins: must contain ActiveDirectory" + fix, join + "DnsName" + notSet,
			join + "DnsTreeName" + notSet, join + "Guid" + notSet, join + "MachineAccountName" + notSet,
			join + "NetBiosName" + notSet, join + "Sid" + notSet,
		}},
		{"the SID of an account", change("3094792973", "3094792973-1104"), []string{
			join + `Sid: "S-1-5-21-2126449477-2524075714-3094792973-1104": is the SID of an account, not of its ` +
				"domain: leave the RID out, the last number, and write S-1-5-21-2126449477-2524075714-3094792973 " +
				"(MK809)",
		}},
		{"another SID", change("S-1-5-21-2126449477-2524075714-3094792973", "S-1-5-18"), []string{
			join + `Sid: "S-1-5-18": must be the SID of the domain, S-1-5-21 and three numbers of 32 bits, ` +
				"S-1-5-21-2126449477-2524075714-3094792973 for example" + fix,
		}},
		{"no forest", change("DnsTreeName: contoso.com, ", ""), []string{join + "DnsTreeName" + notSet}},
		{"a domain in the name", change("MachineAccountName: WebApp1", `MachineAccountName: CONTOSO\WebApp1`), []string{
			join + `MachineAccountName: "CONTOSO\\WebApp1": must be the account's name alone: leave the domain out ` +
				`(MK809)`,
		}},
		{"a dollar sign", change("Name: WebApp1, Scope: CONTOSO", "Name: WebApp1$, Scope: CONTOSO"), []string{
			group + `[0].Name: "WebApp1$": ends with a dollar sign: leave it out (MK809)`,
		}},
		{"one scope", change("Scope: contoso.com", "Scope: CONTOSO"), []string{scope("contoso.com", "DnsName")}},
		{"secret", change("Sid: S-1-5-21-2126449477-2524075714-3094792973", "Sid: $secret-S-1-5-18",
			"{Name: WebApp1, Scope: CONTOSO}, ", ""), []string{
			group + ": lacks the account of DomainJoinConfig with its DnsName or its NetBiosName as the Scope" + fix,
			join + "Sid: [secret]: is not what New-CredentialSpec writes" + fix,
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			object := fromYAML(t, "{apiVersion: windows.k8s.io/v1, kind: GMSACredentialSpec, credspec: "+tt.spec+"}")[0]
			if diff := cmp.Diff(tt.want, only("MK809", preflight.Check(object, v136))); diff != "" {
				t.Errorf("Check() (-want +got):\n%s", diff)
			}
		})
	}
}
