package components_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// echo are the mocks of Pulumi's documentation: each resource gets its inputs back
// (https://www.pulumi.com/docs/iac/guides/testing/unit/). They differ in the IDs, and in the results of calls.
type echo struct{ idSuffix string }

func (e echo) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return args.Name + e.idSuffix, args.Inputs, nil
}

func (e echo) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	if e.idSuffix == "" {
		return resource.PropertyMap{}, nil
	}
	return args.Args, nil
}

// The SDK's mocks refuse an unknown secret, without a request to the provider.
const unknownSecret = "malformed RPC secret: missing value for "

// errorsUnderEcho are the constructors for which those mocks do not suffice, with the text of the one error of each, in
// an update and in a preview.
var errorsUnderEcho = map[string][2]string{
	"aks.Existing":                    {noCluster, noCluster},
	"aks.ExistingCluster.NewNodePool": {noCluster, noCluster},
	"aks.NewCluster": {
		`the mock of azure-native:resources:ResourceGroup must give the output "name"`, unknownSecret,
	},
	"kubeadm.NewCluster":  {noAddress, unknownSecret},
	"kubeadm.NewNodePool": {noAddress, noAddress},
}

const (
	noCluster = `the mock of azure-native:containerservice:getManagedCluster must give the output "name"`
	noAddress = "the mock of azure-native:network:NetworkInterface must give the output " +
		`"ipConfigurations[0].privateIPAddress"`
)

// under runs the constructor under mocks of the SDK.
func (c constructor) under(mocks pulumi.MockResourceMonitor, preview bool) error {
	return pulumi.RunErr(c.program(), pulumi.WithMocks("project", "stack", mocks),
		func(i *pulumi.RunInfo) { i.DryRun = preview })
}

func TestEveryConstructorUnderMocksThatReturnInputs(t *testing.T) {
	t.Parallel()
	all := instances(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, mocks := range []echo{{"-id"}, {""}} {
			for mode, want := range errorsUnderEcho[name] {
				preview := mode == 1
				if err := all[name].under(mocks, preview); !hasError(err, want) {
					t.Errorf("%s (preview: %t, %+v): %v, want %q", name, preview, mocks, err, want)
				}
			}
		}
	}
}

// hasError reports whether an error is a single one with a text. If the text is "", it reports whether there is no
// error.
func hasError(err error, text string) bool {
	if err == nil || text == "" {
		return err == nil && text == ""
	}
	return strings.Count(err.Error(), text) == 1 && !strings.Contains(err.Error(), "errors occurred")
}

// With mocks that answer in the same way as Azure, an update succeeds, and so does a preview, unless a secret is not
// known.
func TestEveryConstructorUnderMocksOfAzure(t *testing.T) {
	t.Parallel()
	preview := map[string]string{
		"aks.NewCluster": unknownSecret, "kubeadm.NewCluster": unknownSecret, "kubeadm.NewNodePool": unknownSecret,
	}
	all := instances(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		if err := c.under(mocktest.Mocks(c.azure()), false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.under(mocktest.Mocks(c.azure(), mocktest.Preview()), true); !hasError(err, preview[name]) {
			t.Errorf("%s, in a preview: %v, want %q", name, err, preview[name])
		}
	}
}
