package stackoutput

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// Topology returns a topology as the output of a stack or of a component. Nothing in it is a secret.
func Topology(t topology.Topology) pulumi.Map { return pulumi.ToMap(topology.Encode(t)) }

// ReadTopology reads the topology that another stack exports under a name. It may be the object of [Topology], or a
// text with the same content in YAML or JSON, as programs in other languages may export it.
//
// The error names the resource of the reference and lists all mistakes, with paths below the name of the output as in
// [topology.Decode]. A missing or secret output is an error as well: previews show what follows from a topology.
func ReadTopology(from *pulumi.StackReference, name string) (topology.Topology, error) {
	subject := fmt.Sprintf("stack reference %q", from.PulumiResourceName())
	details, err := from.GetOutputDetails(name)
	if err != nil {
		return topology.Topology{}, fmt.Errorf("%s: %s: %w", subject, name, err)
	}
	t, errs := decode(*details, name)
	return t, fielderrors.Join(subject, errs)
}

func decode(output pulumi.StackReferenceOutputDetails, name string) (topology.Topology, field.ErrorList) {
	var none topology.Topology
	path, document := field.NewPath(name), output.Value
	if output.SecretValue != nil {
		return none, field.ErrorList{field.Forbidden(path,
			"is a secret, and previews show what follows from a topology: export it as a plain value")}
	}
	if document == nil {
		return none, field.ErrorList{field.Required(path, fmt.Sprintf("there is no such output: export it there with "+
			"ctx.Export(%q, stackoutput.Topology(cluster.Topology)), and run `pulumi up`", name))}
	}
	if text, ok := document.(string); ok {
		documents, err := manifests.ReadYAML(strings.NewReader(text), name)
		switch {
		case err != nil:
			return none, field.ErrorList{field.Invalid(path, field.OmitValueType{}, err.Error())}
		case len(documents) != 1:
			return none, field.ErrorList{field.Invalid(path, field.OmitValueType{},
				fmt.Sprintf("has %d documents: export one topology", len(documents)))}
		}
		document = documents[0].Value
	}
	return topology.Decode(document, path)
}
