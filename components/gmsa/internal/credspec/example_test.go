package credspec_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/gmsa/internal/credspec"
)

// What New-CredentialSpec of Microsoft has written is read, and all that is wrong with it is reported.
func ExampleDecode() {
	_, errs := credspec.Decode(`{"CmsPlugins": ["ActiveDirectory"], "DomainJoinConfig": {"DnsName": "contoso.com"}}`,
		field.NewPath("spec"))
	for _, err := range errs {
		fmt.Println(err)
	}
	// Output:
}
