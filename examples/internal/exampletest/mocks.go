package exampletest

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// UnknownSecret begins the error of the SDK's mocks for an unknown secret, such as a kubeconfig in a preview.
const UnknownSecret = "malformed RPC secret: missing value for "

// Mocked is an example with the mocks of Pulumi's SDK.
type Mocked struct {
	Program pulumi.RunFunc
	// Config is the configuration of the example.
	Config map[string]string
	// Guarded is true if the example enforces package guard.
	Guarded bool
	// Cloud answers as the cloud does, for a program that creates a cluster. MissingOutput is a part of the only error
	// of the program with mocks that only return inputs.
	Cloud         mocktest.Option
	MissingOutput string
	// LooksUp is true if the example looks up a cluster, which only the mocks of the cloud have: a preview fails with
	// MissingOutput too.
	LooksUp bool
	// Preview is a part of the error of a preview; empty if there is none.
	Preview string
}

// Run runs the example with mocks that return inputs, like the mocks in Pulumi's documentation, and with the answers of
// its cloud: in an update and in a preview.
func (m Mocked) Run(t *testing.T) {
	t.Helper()
	m.run(t, "with mocks that return inputs", echo{}, false, m.MissingOutput)
	previewed := m.Preview
	if m.LooksUp {
		previewed = m.MissingOutput
	}
	m.run(t, "with mocks that return inputs", echo{}, true, previewed)
	if m.Cloud != nil {
		m.run(t, "with mocks of its cloud", mocktest.Mocks(m.Cloud), false, "")
		m.run(t, "with mocks of its cloud", mocktest.Mocks(m.Cloud, mocktest.Preview()), true, m.Preview)
	}
}

func (m Mocked) run(t *testing.T, how string, mocks pulumi.MockResourceMonitor, preview bool, want string) {
	t.Helper()
	program := m.Program
	if m.Guarded {
		program = guard.Program(program)
	}
	err := pulumi.RunErr(program, pulumi.WithMocks("example", "dev", mocks), func(info *pulumi.RunInfo) {
		info.DryRun, info.Config = preview, map[string]string{}
		for key, value := range m.Config {
			info.Config["example:"+key] = value
		}
	})
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%s (preview: %t): %v, want %q", how, preview, err, want)
	}
}

// echo has the mocks of Pulumi's documentation
// (https://www.pulumi.com/docs/iac/guides/testing/unit/).
type echo struct{}

func (echo) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return args.Name + "-id", args.Inputs, nil
}

func (echo) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) { return args.Args, nil }
