package preflight_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
)

func TestAccountsOnNodesFromBeforeTheUpdateForNetworkShares(t *testing.T) {
	t.Parallel()
	const (
		template = "spec.template.spec."
		option   = "securityContext.windowsOptions."
		before   = "10.0.17763.1816"
		after    = "10.0.17763.1817"
		byName   = "securityContext: {windowsOptions: {gmsaCredentialSpecName: web}}\n"
	)
	found := func(path, names string) string {
		return "warning " + template + path + ": the deployment can land on " + names + ", whose nodes have " + before +
			": with containerd, their containers do not reach network shares with the account: update the nodes to " +
			"10.0.17763.1817 (KB5000822) or newer (MK544)"
	}
	const named = option + `gmsaCredentialSpecName: "web"`
	for _, tt := range []struct {
		name, spec string
		release    platform.Platform
		nodes      []string
		want       []string
	}{
		{
			"an account of the pod", byName + container("shop"), platform.WindowsServer2019,
			[]string{before},
			[]string{found(named, "pool spring")},
		},
		{
			"an account of a container", "containers: [{name: shop, image: shop, " +
				"securityContext: {windowsOptions: {gmsaCredentialSpecName: web}}}]\n",
			platform.WindowsServer2019,
			[]string{before},
			[]string{found("containers[0]."+named, "pool spring")},
		},
		{
			"a specification, which is not shown",
			"securityContext: {windowsOptions: {gmsaCredentialSpec: '{\"private\": true}'}}\n" + container("shop"),
			platform.WindowsServer2019,
			[]string{before},
			[]string{found(option+"gmsaCredentialSpec", "pool spring")},
		},
		{
			"a name with its specification",
			"securityContext: {windowsOptions: {gmsaCredentialSpecName: web, gmsaCredentialSpec: '{}'}}\n" +
				container("shop"),
			platform.WindowsServer2019,
			[]string{before},
			[]string{found(named, "pool spring")},
		},
		{
			"one pool of two", byName + container("shop"), platform.WindowsServer2019,
			[]string{after, before},
			[]string{found(named, "pool summer")},
		},
		{
			"both pools", byName + container("shop"), platform.WindowsServer2019,
			[]string{before, before},
			[]string{found(named, "pools spring and summer")},
		},
		{"the update", byName + container("shop"), platform.WindowsServer2019, []string{after}, nil},
		{"an unknown version", byName + container("shop"), platform.WindowsServer2019, []string{""}, nil},
		{"a later release", byName + container("shop"), platform.WindowsServer2022, []string{"10.0.20348.1"}, nil},
		{"no account", container("shop"), platform.WindowsServer2019, []string{before}, nil},
		{
			"an unknown account",
			"securityContext: {windowsOptions: \"$unknown\"}\n" + container("shop"),
			platform.WindowsServer2019,
			[]string{before},
			nil,
		},
		{
			"a host process", "hostNetwork: true\nsecurityContext: {windowsOptions: {hostProcess: true, " +
				"runAsUserName: 'NT AUTHORITY\\SYSTEM', gmsaCredentialSpecName: web}}\n" + container("shop"),
			platform.WindowsServer2019,
			[]string{before},
			nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			object := inSpec(t, "Deployment", onWindows+tol+tt.spec)
			for _, f := range preflight.Check(object, running(tt.release, tt.nodes...)) {
				if f.Rule == "MK544" {
					got = append(got, string(f.Severity)+" "+f.String())
				}
			}
			diffFindings(t, tt.want, got)
		})
	}
}
