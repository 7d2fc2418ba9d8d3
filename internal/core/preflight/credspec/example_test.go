package credspec_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/core/preflight/credspec"
)

// Decode reads the output of Microsoft's New-CredentialSpec, and reports everything that is
// wrong with it.
func ExampleDecode() {
	_, errs := credspec.Decode(`{"CmsPlugins": ["ActiveDirectory"], "DomainJoinConfig": {"DnsName": "contoso.com"}}`,
		field.NewPath("spec"))
	for _, err := range errs {
		fmt.Println(err)
	}
	// Output:
	// spec.DomainJoinConfig.Sid: Required value: line 1: New-CredentialSpec writes it
	// spec.DomainJoinConfig.MachineAccountName: Required value: line 1: New-CredentialSpec writes it
	// spec.DomainJoinConfig.Guid: Required value: line 1: New-CredentialSpec writes it
	// spec.DomainJoinConfig.DnsTreeName: Required value: line 1: New-CredentialSpec writes it
	// spec.DomainJoinConfig.NetBiosName: Required value: line 1: New-CredentialSpec writes it
	// spec.ActiveDirectoryConfig: Required value: line 1: an object with the accounts of containers and hosts
}
