package provider

import (
	apiextensionsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apiextensions/v1"
	sdkcorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// noArgs are the arguments of functions that need none.
type noArgs struct{}

// crdResult is the arguments of a resource, so that programs can pass it unchanged.
type crdResult struct {
	// Metadata is the name of the definition, and an annotation that the API server requires.
	Metadata metav1.ObjectMetaArgs `pulumi:"metadata" provider:"any"`
	// Spec is the kind, with its schema.
	Spec apiextensionsv1.CustomResourceDefinitionSpecArgs `pulumi:"spec" provider:"any"`
}

func crd(*noArgs) (crdResult, field.ErrorList) {
	made := gmsa.CRD()
	return crdResult{
		made.Metadata.(metav1.ObjectMetaArgs), made.Spec.(apiextensionsv1.CustomResourceDefinitionSpecArgs),
	}, nil
}

type sourcesResult struct {
	// Sources are the sources of a LogMonitor configuration.
	Sources []logmonitor.Source `pulumi:"sources" provider:"any"`
}

func iisSources(*noArgs) (sourcesResult, field.ErrorList) {
	return sourcesResult{logmonitor.IIS()}, nil
}

func aspnet(*noArgs) (sourcesResult, field.ErrorList) { return sourcesResult{logmonitor.ASPNET()}, nil }

type iisCommandResult struct {
	// Command is the command of a container.
	Command pulumi.StringArray `pulumi:"command"`
}

func iisCommand(*noArgs) (iisCommandResult, field.ErrorList) {
	return iisCommandResult{logmonitor.IISCommand()}, nil
}

type fromImageArgs struct {
	// Image is the reference of the image, as in a container.
	Image string `pulumi:"image" required:"the reference of an image, web:1.0-ltsc2022 for example"`
}

func fromImage(a *fromImageArgs) (platform.Image, field.ErrorList) {
	return platform.FromImage(a.Image), nil
}

type tolerationsArgs struct {
	// Topology is the cluster. It can be an output of a component.
	Topology topology.Topology `pulumi:"topology"`
	// Platform is the platform that the pods need.
	Platform platform.Platform `pulumi:"platform"`
}

type tolerationsResult struct {
	// Tolerations are the tolerations for the spec of a pod.
	Tolerations []corev1.Toleration `pulumi:"tolerations" provider:"any"`
}

func tolerations(a *tolerationsArgs) (tolerationsResult, field.ErrorList) {
	errs := a.Topology.Validate(field.NewPath("topology"))
	errs = append(errs, topology.ValidatePlatform(a.Platform, field.NewPath("platform"))...)
	if len(errs) > 0 {
		return tolerationsResult{}, errs
	}
	return tolerationsResult{a.Topology.WithDefaults().Tolerations(a.Platform)}, nil
}

type nodeSelectorArgs struct {
	// Platform is the platform of the nodes.
	Platform platform.Platform `pulumi:"platform"`
}

type nodeSelectorResult struct {
	// NodeSelector is the node selector for the spec of a pod.
	NodeSelector map[string]string `pulumi:"nodeSelector"`
}

func nodeSelector(a *nodeSelectorArgs) (nodeSelectorResult, field.ErrorList) {
	errs := topology.ValidatePlatform(a.Platform, field.NewPath("platform"))
	if len(errs) > 0 {
		return nodeSelectorResult{}, errs
	}
	return nodeSelectorResult{topology.NodeSelector(a.Platform)}, nil
}

// probeResult is what the functions for probes return.
type probeResult struct {
	// Probe is a probe of a container.
	Probe sdkcorev1.ProbeArgs `pulumi:"probe" provider:"any"`
}

type httpProbeArgs struct {
	// Path is the path of the request. The default is /.
	Path string `pulumi:"path,optional"`
	// Port is the port of the container.
	Port int `pulumi:"port"`
}

func httpProbe(a *httpProbeArgs) (probeResult, field.ErrorList) {
	return probeResult{workload.HTTPProbe(a.Path, a.Port)}, checkPort(a.Port)
}

type tcpProbeArgs struct {
	// Port is the port of the container.
	Port int `pulumi:"port"`
}

func tcpProbe(a *tcpProbeArgs) (probeResult, field.ErrorList) {
	return probeResult{workload.TCPProbe(a.Port)}, checkPort(a.Port)
}

// checkPort reports a port that is not set, which the compiler does not find.
func checkPort(port int) field.ErrorList {
	if port == 0 {
		return field.ErrorList{field.Required(field.NewPath("port"), "the port of the container, 80 for example")}
	}
	return nil
}

type powerShellProbeArgs struct {
	// Script is the script, as it is written for PowerShell.
	Script string `pulumi:"script" required:"the script that fails where the container is not well"`
}

func powerShellProbe(a *powerShellProbeArgs) (probeResult, field.ErrorList) {
	return probeResult{workload.PowerShellProbe(a.Script)}, nil
}

type checkArgs struct {
	// Object is the object as in its manifest, with apiVersion and kind.
	Object Manifest `pulumi:"object"`
	preflight.Options
}

type checkResult struct {
	// Findings are the violations of rules by the object, sorted by path. They include the findings that the object
	// ignores.
	Findings []Finding `pulumi:"findings"`
	// Landing describes in one line where the pods can land. It is not set without a topology, and for
	// objects without pods.
	Landing string `pulumi:"landing,optional"`
}

// Finding is one violation of a rule by an object.
type Finding struct {
	preflight.Finding
	// Message describes what is wrong, with the value.
	Message string `pulumi:"message"`
}

func checkObject(a *checkArgs) (checkResult, field.ErrorList) {
	errs := a.Validate(nil)
	at := field.NewPath("object")
	for _, key := range []string{"apiVersion", "kind"} {
		// Without them anything passes: most rules are about certain kinds.
		if text, _ := tree.Text(a.Object[key]); text == "" {
			errs = append(errs, field.Required(at.Child(key), "each Kubernetes object has one"))
		}
	}
	if len(errs) > 0 {
		return checkResult{}, errs
	}
	checker := preflight.New(a.Options)
	result := checkResult{}
	for _, f := range checker.Check(a.Object) {
		result.Findings = append(result.Findings, Finding{f, f.Summary()})
	}
	if landing, ok := checker.Landing(a.Object); ok {
		result.Landing = landing.String()
	}
	return result, nil
}

// marked returns a value as a tree for preflight, which checks secrets and does not show them.
func marked(v resource.PropertyValue) any {
	switch {
	case v.IsSecret():
		return sealed(v.SecretValue().Element)
	case v.IsComputed(), v.IsOutput() && !v.OutputValue().Known:
		return preflight.Unknown{}
	case v.IsOutput() && v.OutputValue().Secret:
		return sealed(v.OutputValue().Element)
	case v.IsOutput():
		return marked(v.OutputValue().Element)
	case v.IsArray():
		list := make([]any, len(v.ArrayValue()))
		for i, element := range v.ArrayValue() {
			list[i] = marked(element)
		}
		return list
	case v.IsObject():
		object := map[string]any{}
		for key, element := range v.ObjectValue() {
			object[string(key)] = marked(element)
		}
		return object
	case v.IsAsset(), v.IsArchive(), v.IsResourceReference():
		return preflight.Unknown{} // no value of a Kubernetes object is one
	case v.IsNumber():
		return tree.Number(v.NumberValue())
	}
	return v.V
}

func sealed(v resource.PropertyValue) any { return tree.Seal(marked(v)) }
