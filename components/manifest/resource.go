package manifest

import (
	"maps"
	"strings"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/utilities"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
)

// Resource is an object of a [Group] in the cluster.
type Resource struct {
	pulumi.CustomResourceState

	// Object has the object's file and how it was completed.
	Object Object

	// ApiVersion and Kind are the object's.
	ApiVersion pulumi.StringOutput `pulumi:"apiVersion"` //nolint:revive // pulumi-kubernetes has the same name
	Kind       pulumi.StringOutput `pulumi:"kind"`
	// Metadata is the object's.
	Metadata metav1.ObjectMetaPtrOutput `pulumi:"metadata"`
	// Spec and Status are the object's, with any type. They are nil if there are none.
	Spec   pulumi.AnyOutput `pulumi:"spec"`
	Status pulumi.AnyOutput `pulumi:"status"`
}

// register registers an object as a resource.
func register(ctx *pulumi.Context, group string, o Object, opts ...pulumi.ResourceOption) (*Resource, error) {
	properties := kubernetes.UntypedArgs{}
	maps.Copy(properties, o.Tree)
	if o.APIVersion == "v1" && o.Kind == "Secret" {
		for _, key := range []string{"data", "stringData"} {
			if value, ok := properties[key]; ok {
				properties[key] = pulumi.ToSecret(value)
			}
		}
		if metadata, ok := properties["metadata"].(map[string]any); ok {
			properties["metadata"] = hidden(metadata)
		}
	}
	r := &Resource{Object: o}
	if err := ctx.RegisterResource(token(o), resourceName(group, o), properties, r,
		utilities.PkgResourceDefaultOpts(opts)...); err != nil {
		return nil, err
	}
	return r, nil
}

// hidden returns the metadata of a Secret, with the annotation in which kubectl apply stores the whole object as a
// secret.
func hidden(metadata map[string]any) any {
	annotations, ok := metadata["annotations"].(map[string]any)
	applied := annotations[corev1.LastAppliedConfigAnnotation]
	if !ok || applied == nil {
		return metadata
	}
	annotations, metadata = maps.Clone(annotations), maps.Clone(metadata)
	annotations[corev1.LastAppliedConfigAnnotation] = pulumi.ToSecret(applied)
	metadata["annotations"] = annotations
	return metadata
}

// token returns the type of the object's resource in pulumi-kubernetes.
func token(o Object) string {
	version := o.APIVersion
	if !strings.Contains(version, "/") {
		version = "core/" + version
	}
	return "kubernetes:" + version + ":" + o.Kind
}

func resourceName(group string, o Object) string {
	if o.Namespace == "" {
		return group + ":" + o.Name
	}
	return group + ":" + o.Namespace + "/" + o.Name
}
