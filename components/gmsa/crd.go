package gmsa

import (
	apiextensionsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apiextensions/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// The kind, as https://github.com/kubernetes-sigs/windows-gmsa has it.
const (
	group   = "windows.k8s.io"
	version = "v1"
	kind    = "GMSACredentialSpec"
	plural  = "gmsacredentialspecs"
)

// NewCRD creates the kind GMSACredentialSpec: the CustomResourceDefinition
// gmsacredentialspecs.windows.k8s.io, of cluster scope, in version v1.
//
// A cluster has it once. If a cloud provider or the chart of the webhook has created it, leave it
// out: a GMSACredentialSpec only needs the kind to exist. The API server deletes all objects of
// a kind with it, so [pulumi.Protect] is a good option in production.
//
// # The schema
//
// It knows each field of a credential specification, and requires those that
// New-CredentialSpec always writes: a part of a specification fails where it is written,
// and not when a container starts. It does not keep unknown fields, so that kubectl
// refuses misspelled ones. It says nothing about the form of values: those that
// [NewCredentialSpec] writes have been checked, and the API server must not refuse an
// object that Windows takes.
func NewCRD(
	ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption,
) (*apiextensionsv1.CustomResourceDefinition, error) {
	return apiextensionsv1.NewCustomResourceDefinition(ctx, name, CRD(), opts...)
}

// CRD returns the kind GMSACredentialSpec, as the arguments of a CustomResourceDefinition: for programs that
// register it themselves. A cluster has it once. With the kind the API server removes all objects of it, so
// protect it in production.
//
// In Go, [NewCRD] registers it.
func CRD() *apiextensionsv1.CustomResourceDefinitionArgs {
	return &apiextensionsv1.CustomResourceDefinitionArgs{
		Metadata: metav1.ObjectMetaArgs{
			Name: pulumi.String(plural + "." + group),
			// The API server refuses a kind of a group of Kubernetes without it.
			Annotations: pulumi.StringMap{
				"api-approved.kubernetes.io": pulumi.String("https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/689-windows-gmsa"),
			},
		},
		Spec: apiextensionsv1.CustomResourceDefinitionSpecArgs{
			Group: pulumi.String(group),
			Names: apiextensionsv1.CustomResourceDefinitionNamesArgs{
				Kind:     pulumi.String(kind),
				ListKind: pulumi.String(kind + "List"),
				Plural:   pulumi.String(plural),
				Singular: pulumi.String("gmsacredentialspec"),
			},
			Scope: pulumi.String("Cluster"),
			Versions: apiextensionsv1.CustomResourceDefinitionVersionArray{
				apiextensionsv1.CustomResourceDefinitionVersionArgs{
					Name:    pulumi.String(version),
					Served:  pulumi.Bool(true),
					Storage: pulumi.Bool(true),
					Schema:  apiextensionsv1.CustomResourceValidationArgs{OpenAPIV3Schema: schema()},
				},
			},
		},
	}
}
