package stackprogram

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

func TestABadConfigurationIsRefusedBeforeAnythingIsRegistered(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		config map[string]string
		want   string
	}{
		{
			"nothing configured", nil,
			"stack configuration:\n" +
				"  mixedkube:cluster: Required value: list the pools of the cluster\n" +
				"  mixedkube:workloads: Required value: list what to deploy, or write [] for nothing",
		},
		{
			"a text instead of a list",
			map[string]string{
				"mixedkube:cluster":   `{"pools": [{"name": "sys", "platform": "linux"}]}`,
				"mixedkube:workloads": "iis",
			},
			`stack configuration: mixedkube:workloads: Invalid value: "iis": must be a list`,
		},
		{
			"a workload and a platform that do not exist",
			map[string]string{
				"mixedkube:cluster": `{"pools": [{"name": "sys", "platform": "linux"}, {"name": "win", "platform": ` +
					`"windows-2016"}]}`,
				"mixedkube:workloads": `["iss"]`,
			},
			"stack configuration:\n" +
				"  mixedkube:cluster.pools[1].platform: Invalid value: \"windows-2016\": Windows Server 2016 is no " +
				"longer supported as a node: a pool runs linux, windows-2019, windows-2022 or windows-2025\n" +
				"  mixedkube:workloads[0]: Invalid value: \"iss\": unknown workload: did you mean \"iis\"? (use iis, " +
				"linux-web or connectivity)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(guard.Program(New(stackconfig.Main, inExisting)),
				mocktest.Project("mixedkube", "mine"), mocktest.Config(tt.config), mocktest.Preview())
			if err == nil {
				t.Fatalf("no error, want:\n%s", tt.want)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("the error (-want +got):\n%s", diff)
			}
			if registered := graph.Resources(); len(registered) != 0 {
				t.Errorf("registered %v, want nothing", registered)
			}
		})
	}
}

func TestMisspelledKeysAreReported(t *testing.T) {
	t.Parallel()
	known := []string{
		"mixedkube:cluster", "mixedkube:aks", "mixedkube:kubeadm",
		"mixedkube:windowsPassword", "mixedkube:workloads",
		"mixedkube:installed", "mixedkube:connectivity",
	}
	for _, tt := range []struct {
		name, environment string
		want              []string
	}{
		{"without Pulumi only the known keys are returned", "", known},
		{
			"keys of this project are added, others are not",
			`{"mixedkube:cluster": "{}", "mixedkube:worklods": "[]", "kubernetes:context": "mine"}`,
			append(slices.Clone(known), "mixedkube:worklods"),
		},
		{
			"several keys are sorted",
			`{"mixedkube:e": "", "mixedkube:b": "", "mixedkube:f": "", "mixedkube:a": "", "mixedkube:d": "", ` +
				`"mixedkube:c": ""}`,
			append(slices.Clone(known), "mixedkube:a", "mixedkube:b", "mixedkube:c", "mixedkube:d", "mixedkube:e",
				"mixedkube:f"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, configKeys(tt.environment)); diff != "" {
				t.Errorf("keys (-want +got):\n%s", diff)
			}
		})
	}
}
