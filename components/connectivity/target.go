package connectivity

import (
	"net"
	"strconv"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/components/input"
)

// port is the port of the pods and of the Services.
const port = 80

// target is the web server of a platform, which receives the requests.
type target struct {
	// answer is its answer to every request, which no other target has.
	answer  string
	pod     *corev1.Pod
	service *corev1.Service
}

// newTarget registers the pod of a platform, and a Service in front of it. It is a Pod and not a Deployment: its
// address is an output, which is known when the Pod is Ready.
func (s *suite) newTarget(ctx *pulumi.Context, p platform.Platform) (target, error) {
	name := s.name + "-" + p.String()
	labels := targetLabels(s.name, p)
	made := target{answer: s.name + " " + p.String()}
	spec := s.podSpec(p)
	spec.Containers = corev1.ContainerArray{corev1.ContainerArgs{
		Name:           pulumi.String("server"),
		Image:          pulumi.String(s.args.Images.of(p)),
		Command:        pulumi.ToStringArray(command(p, "serve")),
		Env:            env(variable{"ANSWER", pulumi.String(made.answer)}),
		Ports:          corev1.ContainerPortArray{corev1.ContainerPortArgs{ContainerPort: pulumi.Int(port)}},
		ReadinessProbe: workload.HTTPProbe("/", port),
	}}
	if !p.IsWindows() {
		// The server is the first process of its container, which no SIGTERM ends.
		spec.TerminationGracePeriodSeconds = pulumi.Int(1)
	}
	pod, err := workload.NewPod(ctx, name, &workload.PodArgs{
		Platform: p, Topology: s.args.Topology.Topology, Scheduling: workload.BySelector,
		Metadata: s.metadata(name, labels), Spec: spec,
	}, pulumi.Parent(s.component), s.timeouts)
	if err != nil {
		return target{}, err
	}
	made.pod = pod.Pod
	made.service, err = corev1.NewService(ctx, name+"-service", &corev1.ServiceArgs{
		Metadata: s.metadata(name, labels),
		Spec: corev1.ServiceSpecArgs{
			Type:     pulumi.String("NodePort"),
			Selector: labels,
			Ports: corev1.ServicePortArray{corev1.ServicePortArgs{
				Port:       pulumi.Int(port),
				TargetPort: pulumi.Int(port),
			}},
		},
	}, pulumi.Parent(s.component), s.timeouts)
	return made, err
}

func (t target) podIP() pulumi.StringOutput     { return t.pod.Status.PodIP().Elem() }
func (t target) clusterIP() pulumi.StringOutput { return t.service.Spec.ClusterIP().Elem() }

// dnsName returns the full name of the Service.
func (t target) dnsName(clusterDomain pulumi.StringPtrInput) pulumi.StringOutput {
	metadata := t.service.Metadata
	return pulumi.Sprintf("%s.%s.svc.%s", metadata.Name().Elem(), metadata.Namespace().Elem(),
		clusterDomain.ToStringPtrOutput().Elem())
}

// nodeURL returns the address of the Service's port on a node: by default on the node that the pod is on.
func (t target) nodeURL(address pulumi.StringPtrInput) pulumi.StringOutput {
	if address == nil {
		address = t.pod.Status.HostIP()
	}
	return urlOf(address.ToStringPtrOutput().Elem(), t.service.Spec.Ports().Index(pulumi.Int(0)).NodePort().Elem())
}

// urlOf returns an address with a port. IPv6 addresses need brackets.
func urlOf(host pulumi.StringInput, port pulumi.IntInput) pulumi.StringOutput {
	return pulumi.All(host, port).ApplyT(func(known []any) string {
		return "http://" + net.JoinHostPort(known[0].(string), strconv.Itoa(known[1].(int))) + "/"
	}).(pulumi.StringOutput)
}

// podSpec returns the fields that all pods of a platform have. They tolerate the taints of all pools, so that they can
// run on any node of the platform.
func (s *suite) podSpec(p platform.Platform) corev1.PodSpecArgs {
	return corev1.PodSpecArgs{
		AutomountServiceAccountToken: pulumi.Bool(false),
		EnableServiceLinks:           pulumi.Bool(false),
		Tolerations:                  input.Tolerations(s.args.Topology.AllTolerations(p)),
	}
}

// metadata returns the metadata of an object. Without a name, Pulumi generates one.
func (s *suite) metadata(name string, labels pulumi.StringMap) metav1.ObjectMetaArgs {
	return metav1.ObjectMetaArgs{
		Name: input.NonEmpty(name), Namespace: s.args.Namespace, Labels: labels,
	}
}
