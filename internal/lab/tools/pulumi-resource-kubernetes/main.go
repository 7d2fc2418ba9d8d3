// Command pulumi-resource-kubernetes is the Kubernetes provider plugin of the
// release that go.mod pins. The provider's own main embeds two generated files
// that its module does not hold; the lab's builder lays the files that they are
// made of over this directory (see internal/lab/tools).
package main

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

//go:embed schema.json
var schema []byte

//go:embed terraform-mapping.json
var terraformMapping []byte

func main() {
	stamped := bytes.Replace(schema, []byte("{"), fmt.Appendf(nil, "{\n    \"version\": %q,", version.Version), 1)
	provider.Serve("kubernetes", version.Version, stamped, terraformMapping)
}
