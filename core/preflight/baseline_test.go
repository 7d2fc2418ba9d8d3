package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// running returns a cluster whose Windows pools have nodes with these versions.
func running(release platform.Platform, versions ...string) preflight.Options {
	pools := []topology.Pool{{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3}}
	for i, version := range versions {
		pools = append(pools, topology.Pool{
			Name: []string{"spring", "summer"}[i], Platform: release, Count: 2,
			Reported: topology.Reported{OSVersion: version},
		})
	}
	return preflight.Options{KubernetesVersion: "1.35", Topology: topology.Topology{Pools: pools}}
}

func TestImagesAndNodesOnOtherSidesOfTheUpdate(t *testing.T) {
	t.Parallel()
	const (
		windows = "windows/amd64/10.0."
		none    = ""
		newer   = `warning spec.template.spec.containers[0].image: "shop": has Windows 10.0.17763.1040, and the ` +
			`deployment can land on pool spring, whose nodes have 10.0.17763.1038, from before the update of ` +
			`February 2020: update the nodes (MK222)`
		older = `warning spec.template.spec.containers[0].image: "shop": has Windows 10.0.17763.973, from before the ` +
			`update of February 2020, and the deployment can land on pools spring and summer, whose nodes have ` +
			`10.0.17763.5820: build it on a base image of February 2020 or later (MK222)`
	)
	const isolated = "securityContext: {windowsOptions: {hostProcess: true, runAsUserName: 'NT AUTHORITY\\SYSTEM'}}\n" +
		"hostNetwork: true\n"
	for _, tt := range []struct {
		name, facts, spec string
		release           platform.Platform
		nodes             []string
		want              string
	}{
		{"newer than the nodes", "17763.1040", "", platform.WindowsServer2019, []string{"10.0.17763.1038"}, newer},
		{
			"older than the nodes", "17763.973", "", platform.WindowsServer2019,
			[]string{"10.0.17763.1039", "10.0.17763.5820"},
			older,
		},
		{
			"one pool of two", "17763.1040", "", platform.WindowsServer2019,
			[]string{"10.0.17763.1038", "10.0.17763.1039"},
			newer,
		},
		{"both after", "17763.5820", "", platform.WindowsServer2019, []string{"10.0.17763.1039"}, none},
		{"both before", "17763.1", "", platform.WindowsServer2019, []string{"10.0.17763.1038"}, none},
		{"nodes that are not known", "17763.973", "", platform.WindowsServer2019, []string{""}, none},
		{"a release after the update", "20348.230", "", platform.WindowsServer2022, []string{"10.0.20348.1"}, none},
		{
			"an index with another release", "20348.230, " + windows + "17763.1040", "", platform.WindowsServer2019,
			[]string{"10.0.17763.1038"},
			newer,
		},
		{
			"an index with both sides", "17763.1040, " + windows + "17763.973", "", platform.WindowsServer2019,
			[]string{"10.0.17763.1038"},
			none,
		},
		{"no revision", "17763", "", platform.WindowsServer2019, []string{"10.0.17763.1038"}, none},
		{"a host process", "17763.1040", isolated, platform.WindowsServer2019, []string{"10.0.17763.1038"}, none},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			options := by(running(tt.release, tt.nodes...), published(windows+tt.facts))
			o := inSpec(t, "Deployment", onWindows+tol+tt.spec+container("shop"))
			got := ""
			var gotSb64 strings.Builder
			for _, f := range preflight.Check(o, options) {
				if f.Rule == "MK222" {
					gotSb64.WriteString(string(f.Severity) + " " + f.String())
				}
			}
			got += gotSb64.String()
			if got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}
