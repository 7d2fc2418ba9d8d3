package stackconfig_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

func TestAProgramRefusesTheStacksOfAnother(t *testing.T) {
	t.Parallel()
	const (
		cluster = "mixedkube:cluster"
		aks     = stackconfig.KeyAKS
		kubeadm = stackconfig.KeyKubeadm
		both    = "stack configuration:\n" +
			"  mixedkube:cluster: Required value: list the pools of the cluster\n" +
			"  mixedkube:kubeadm: Invalid value: the cluster is created on AKS or on virtual machines: leave one of " +
			"the two out\n" +
			"  mixedkube:windowsPassword: Required value: set it with `pulumi config set --secret windowsPassword`\n" +
			"  mixedkube:workloads: Required value: list what to deploy, or write [] for nothing"
	)
	for _, tt := range []struct {
		name    string
		program stackconfig.Program
		keys    []string
		want    string
	}{
		{
			"a cluster on machines", stackconfig.Main,
			[]string{kubeadm},
			"stack configuration: mixedkube:kubeadm: Forbidden: this program does not create clusters on virtual " +
				"machines: run pulumi in the directory stacks/kubeadm",
		},
		{
			"a cluster on AKS", stackconfig.OnMachines,
			[]string{aks},
			"stack configuration: mixedkube:aks: Forbidden: this program creates clusters on virtual machines only: " +
				"run pulumi in the root of the repository",
		},
		{
			"an existing cluster", stackconfig.OnMachines,
			[]string{cluster},
			"stack configuration: mixedkube:kubeadm: Required value: this program creates clusters on virtual " +
				"machines only: describe how to create this one, or run pulumi in the root of the repository for an " +
				"existing cluster",
		},
		{"both, which no program makes", stackconfig.Main, []string{aks, kubeadm}, both},
		{"both, in the other program", stackconfig.OnMachines, []string{aks, kubeadm}, both},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			values := map[string]any{}
			for _, key := range tt.keys {
				values[key] = map[string]any{}
			}
			if _, err := tt.program.Decode(values); err == nil || err.Error() != tt.want {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
		})
	}
}

func TestProgramOfAStackDecodesItsConfiguration(t *testing.T) {
	t.Parallel()
	values := map[string]any{
		"mixedkube:cluster":   map[string]any{"pools": []any{map[string]any{"name": "sys", "platform": "linux"}}},
		"mixedkube:workloads": []any{}, "mixedkube:windowsPassword": "",
	}
	for name, tt := range map[string]struct {
		key  string
		want stackconfig.Program
	}{
		"existing": {"mixedkube:workloads", stackconfig.Main}, "on AKS": {stackconfig.KeyAKS, stackconfig.Main},
		"on machines": {stackconfig.KeyKubeadm, stackconfig.OnMachines},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := map[string]any{tt.key: map[string]any{}}
			maps.Copy(config, values)
			c, err := tt.want.Decode(config)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Program(); got != tt.want {
				t.Errorf("the program is %s, want %s", got, tt.want)
			}
			for _, file := range []string{
				filepath.Join(c.Program().Dir(), "Pulumi.yaml"),
				filepath.Join(string(c.Program()), "main.go"),
			} {
				if _, err := os.Stat(filepath.Join("..", "..", file)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
