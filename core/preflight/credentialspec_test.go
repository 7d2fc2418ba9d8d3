package preflight_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/preflight"
)

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
				return texts(preflight.Check(object, v136))
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
		if diff := cmp.Diff(tt.want, texts(preflight.Check(object, v136))); diff != "" {
			t.Errorf("%s, %s: Check() (-want +got):\n%s", tt.join, tt.member, diff)
		}
	}
}
