package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// azureStacks are the stacks of the program azure, in the order of their deployment, with a configuration for each
// update.
var azureStacks = []struct {
	name    string
	configs []string
}{
	{"clusters", []string{"", "  azure:named: true\n"}},
	{"joining", []string{""}},
}

// recordAzure deploys the stacks with the components and the simulated Azure of the checkout, and writes their states
// and that of Azure.
func recordAzure(ctx context.Context, checkout string) (err error) {
	program := filepath.Join(checkout, "tests", "pins", "testdata", "azure")
	defer func() { err = errors.Join(err, os.RemoveAll(program)) }()
	if err := os.CopyFS(program, os.DirFS(filepath.Join(data, "azure"))); err != nil {
		return err
	}
	cache, err := tools.FromRoot(checkout, os.Stdout)
	if err != nil {
		return err
	}
	r, end, err := newRecorder(ctx, cache, "lab", program)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	for _, s := range azureStacks {
		if err := r.recordPools(ctx, s.name, s.configs); err != nil {
			return err
		}
	}
	cloud, err := os.ReadFile(filepath.Join(r.lab.AzureDir(), "state.json"))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Compact(&out, cloud); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(data, "azure", "azure.json"), append(out.Bytes(), '\n'), 0o644)
}

// recordPools updates a stack once with each configuration, and writes its state.
func (r recorder) recordPools(ctx context.Context, name string, configs []string) error {
	file := filepath.Join(r.temp, "Pulumi."+name+".yaml")
	stack, err := r.lab.Project(ctx, r.program, name, file)
	if err != nil {
		return err
	}
	for _, config := range configs {
		config = "config:\n  azure-native:location: westeurope\n  azure:windowsPassword: Recorded-Password-9\n" + config
		if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
			return err
		}
		if err := stack.Up(ctx, "--skip-preview"); err != nil {
			return err
		}
	}
	state, err := r.export(ctx, stack)
	if err != nil {
		return err
	}
	kubeconfig, err := os.ReadFile(r.lab.Kubeconfig())
	if err != nil {
		return err
	}
	if state, err = reducedWithSecrets(state, kubeconfig); err != nil {
		return fmt.Errorf("the state of %s: %w", name, err)
	}
	return os.WriteFile(filepath.Join(data, "azure", name+".json"), state, 0o644)
}
