package exampletest

import (
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// UnknownSecret is what the SDK's mocks say of a secret that is not known, such as a kubeconfig in a
// preview.
const UnknownSecret = "malformed RPC secret: missing value for "

// Mocked is an example under the mocks of Pulumi's SDK.
type Mocked struct {
	Program pulumi.RunFunc
	// Config is its configuration.
	Config map[string]string
	// Guarded says that it enforces package guard.
	Guarded bool
	// Cloud answers as the cloud does, for a program that makes a cluster: Lacks is what its one error
	// says with mocks that only give inputs back.
	Cloud mocktest.Option
	Lacks string
	// LooksUp says that it looks a cluster up, which only the mocks of the cloud have: Lacks is what a
	// preview says as well.
	LooksUp bool
	// Preview is what the error of a preview says; empty if there is none.
	Preview string
}

// Run runs the example with mocks that give inputs back, as those of Pulumi's documentation do, and
// with the answers of its cloud: in an update and in a preview.
func (m Mocked) Run(t *testing.T) {
	t.Helper()
	m.run(t, "with mocks that give inputs back", echo{}, false, m.Lacks)
	previewed := m.Preview
	if m.LooksUp {
		previewed = m.Lacks
	}
	m.run(t, "with mocks that give inputs back", echo{}, true, previewed)
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

// echo are the mocks of Pulumi's documentation
// (https://www.pulumi.com/docs/iac/guides/testing/unit/).
type echo struct{}

func (echo) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return args.Name + "-id", args.Inputs, nil
}

func (echo) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) { return args.Args, nil }
