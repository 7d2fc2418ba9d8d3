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

	// Object says where it comes from and what was done with it.
	Object Object

	// ApiVersion and Kind are those of Kubernetes.
	ApiVersion pulumi.StringOutput `pulumi:"apiVersion"` //nolint:revive // as pulumi-kubernetes calls it
	Kind       pulumi.StringOutput `pulumi:"kind"`
	// Metadata is the object's.
	Metadata metav1.ObjectMetaPtrOutput `pulumi:"metadata"`
	// Spec and Status are the object's, of whatever type; nil if there is none.
	Spec   pulumi.AnyOutput `pulumi:"spec"`
	Status pulumi.AnyOutput `pulumi:"status"`
}

// register makes an object a resource.
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

// hidden is the metadata of a Secret. What kubectl apply leaves in an annotation holds
// the whole object.
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

// token is the type of the object's resource in pulumi-kubernetes.
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
