package policy

import (
	"slices"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/manifests/helmchart"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// resource is a Kubernetes object in the program, or a Helm chart.
type resource struct {
	urn, typ, name string
	cluster        *cluster
	object         *pods.Object
	chart          map[string]any // the properties of a chart, nil for an object
	outcome        mutate.Outcome
}

// shown are the methods that all requests about a resource have.
type shown interface {
	GetUrn() string
	GetType() string
	GetName() string
	GetProperties() *structpb.Struct
	GetProvider() *pulumirpc.AnalyzerProviderResource
}

// providerType is the type of the providers of Kubernetes.
const providerType = "pulumi:providers:kubernetes"

// defaultProvider is the name of the providers that the engine creates. With a version, it is a prefix of the name.
const defaultProvider = "default"

// read reads a resource, nil if the pack does not check its type.
func (s *settings) read(r shown) *resource {
	out := &resource{urn: r.GetUrn(), typ: r.GetType(), name: r.GetName()}
	provider := r.GetProvider()
	name := provider.GetName()
	if name == defaultProvider || strings.HasPrefix(name, defaultProvider+"_") {
		name = ""
	}
	out.cluster = s.clusterOf(name)
	switch {
	case helmchart.IsChart(out.typ):
		out.chart = properties(r.GetProperties())
		// An Ignore selects by namespace.
		out.object = pods.ReadObject(map[string]any{"metadata": map[string]any{"namespace": out.chart["namespace"]}})
	case pods.IsResource(out.typ, provider.GetType() == providerType):
		out.object = pods.ReadObject(asWritten(properties(r.GetProperties())))
		out.object.Stated = pods.StatesPlatform(typesOf(out.urn))
	default:
		return nil
	}
	return out
}

// typesOf returns the types in a URN, urn:pulumi:STACK::PROJECT::TYPES::NAME: those of the resource and of the
// components above it.
func typesOf(urn string) string {
	parts := strings.SplitN(urn, "::", 4)
	if len(parts) != 4 {
		return ""
	}
	return parts[2]
}

// autonamed is the annotation of objects whose name Pulumi generated.
const autonamed = "pulumi.com/autonamed"

// asWritten removes a name that Pulumi generated: the program does not have it.
func asWritten(object map[string]any) map[string]any {
	metadata := tree.Map(object["metadata"])
	if text, _ := tree.Text(tree.Map(metadata["annotations"])[autonamed]); text == "true" {
		delete(metadata, "name")
	}
	return object
}

// findings returns the findings about the resource alone.
func (r *resource) findings() []rule.Finding {
	switch {
	case r.chart == nil:
		return r.cluster.checker.CheckObject(r.object)
	case r.typ == helmchart.ChartType && r.chart["chart"] == nil:
		return nil // the engine does not show the arguments of a component
	default:
		return helmchart.Check(r.typ, r.name, r.chart, userfiles.Chart)
	}
}

// reported returns the resource for a report.
func (r *resource) reported() report.Object {
	of := report.ObjectOf(r.object.Tree)
	of.Resource, of.Cluster = r.urn, r.cluster.provider
	return of
}

// isContext reports whether rules about other objects depend on the object.
func (r *resource) isContext() bool {
	return r.chart == nil && slices.Contains([]string{
		"RuntimeClass", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "StorageClass",
	}, r.object.Kind)
}
