package hostprocess_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const namespaceType = "kubernetes:core/v1:Namespace"

// inNamespace are programs whose component is in a namespace.
func inNamespace(in pulumi.StringPtrInput) map[string]pulumi.RunFunc {
	return map[string]pulumi.RunFunc{
		"daemonset": newDaemonSet(&hostprocess.DaemonSetArgs{
			Namespace: in, User: hostprocess.LocalService,
			Pods: corev1.PodSpecArgs{Containers: corev1.ContainerArray{
				corev1.ContainerArgs{Name: pulumi.String("a"), Image: pulumi.String("a:1")},
			}},
		}),
		"csi-proxy": newCSIProxy(&hostprocess.CSIProxyArgs{Namespace: in}),
		"windows-exporter": newWindowsExporter(&hostprocess.WindowsExporterArgs{
			Namespace: in, ServiceMonitor: true,
		}),
		"node-problem-detector": newNodeProblemDetector(&hostprocess.NodeProblemDetectorArgs{
			Namespace: in, Endpoint: pulumi.String(endpoint),
		}),
		"node-logs": newNodeLogs(&hostprocess.NodeLogsArgs{Namespace: in, Node: "win22-0"}),
	}
}

func TestTheNamespaceCanBeAResource(t *testing.T) {
	t.Parallel()
	for name := range inNamespace(nil) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
				made, err := corev1.NewNamespace(ctx, "tools", &corev1.NamespaceArgs{
					Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("tools")},
				})
				if err != nil {
					return err
				}
				return inNamespace(made.Metadata.Name())[name](ctx)
			})
			made := graph.MustGet(t, namespaceType, "tools")
			objects := 0
			for _, r := range graph.Resources() {
				metadata, _ := r.Plain()["metadata"].(map[string]any)
				if !r.Custom || r.URN == made.URN || strings.HasSuffix(r.Type, ":ClusterRoleBinding") {
					continue
				}
				objects++
				if metadata["namespace"] != "tools" {
					t.Errorf("%s is in the namespace %v", r.URN, metadata["namespace"])
				}
				if !slices.Contains(r.PropertyDependencies["metadata"], made.URN) {
					t.Errorf("%s depends on %v, want the namespace", r.URN, r.PropertyDependencies)
				}
			}
			if objects == 0 {
				t.Error("there is no object")
			}
		})
	}
}

func TestInvalidNamespaceName(t *testing.T) {
	t.Parallel()
	plain, outputs := inNamespace(pulumi.String("Tools")), inNamespace(pulumi.String("Tools").ToStringPtrOutput())
	for name := range plain {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(plain[name])
			if err == nil || len(graph.Resources()) > 0 {
				t.Fatalf("%v, %v, want an error and no resource", err, graph.Resources())
			}
			if _, later := mocktest.Run(outputs[name]); later == nil || !strings.Contains(later.Error(), err.Error()) {
				t.Errorf("of an output: %v\nwant %v", later, err)
			}
		})
	}
}

// reaching are programs whose component reaches the API server.
func reaching(at pulumi.StringInput) map[string]pulumi.RunFunc {
	return map[string]pulumi.RunFunc{
		"kube-proxy": newKubeProxy(&hostprocess.KubeProxyArgs{Network: ofKind(network.UpstreamL3), Endpoint: at}),
		"flannel":    newFlannel(&hostprocess.FlannelArgs{Network: ofKind(network.FlannelVXLAN), Endpoint: at}),
		"node-problem-detector": newNodeProblemDetector(
			&hostprocess.NodeProblemDetectorArgs{Endpoint: at},
		),
	}
}

// TestTheEndpointCanBeAnOutput compares with the resources of a plain endpoint.
func TestTheEndpointCanBeAnOutput(t *testing.T) {
	t.Parallel()
	plain, outputs := reaching(pulumi.String(endpoint)), reaching(pulumi.String(endpoint).ToStringOutput())
	for name := range plain {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, got := mocktest.MustRun(t, plain[name]), mocktest.MustRun(t, outputs[name])
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Errorf("an output makes another graph (-plain +output):\n%s", diff)
			}
			if !strings.Contains(got.String(), "api.example.com") {
				t.Error("the endpoint is nowhere")
			}
		})
	}
}

func TestAnEndpointThatIsNotKnown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"kube-proxy": {
			`kubernetes:core/v1:ConfigMap proxy-config data["kubeconfig.json"]`,
			`kubernetes:core/v1:ConfigMap proxy-config metadata.name`,
		},
		"flannel": {
			`kubernetes:core/v1:ConfigMap network-windows-config data["kubeconfig.json"]`,
			`kubernetes:core/v1:ConfigMap network-windows-config metadata.name`,
			`kubernetes:apps/v1:DaemonSet network-linux spec.template.spec.containers[0].env[2].value`,
			`kubernetes:apps/v1:DaemonSet network-linux spec.template.spec.containers[0].env[3].value`,
		},
		"node-problem-detector": {
			`kubernetes:apps/v1:DaemonSet problems-daemonset spec.template.spec.containers[0].env[1].value`,
			`kubernetes:apps/v1:DaemonSet problems-daemonset spec.template.spec.containers[0].env[2].value`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := reaching(mocktest.Unknown[pulumi.StringOutput]())[name]
			graph := mocktest.MustRun(t, program, mocktest.Preview())
			var got []string
			for _, r := range graph.Resources() {
				for _, path := range mocktest.Unknowns(r.Inputs) {
					if strings.HasPrefix(path, "data") || strings.HasPrefix(path, "metadata.name") ||
						strings.Contains(path, ".env[") {
						got = append(got, r.Type+" "+r.Name+" "+path)
					}
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what is not known (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnInvalidEndpointFromAnOutput(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]string{"nothing": "", "an address without a port": "api.example.com"} {
		plain, outputs := reaching(pulumi.String(at)), reaching(pulumi.String(at).ToStringOutput())
		for component := range plain {
			t.Run(component+", "+name, func(t *testing.T) {
				t.Parallel()
				graph, err := mocktest.Run(plain[component])
				if err == nil || len(graph.Resources()) > 0 || !strings.Contains(err.Error(), ": endpoint: ") {
					t.Fatalf("%v, %v, want an error of endpoint and no resource", err, graph.Resources())
				}
				_, later := mocktest.Run(outputs[component])
				if later == nil || !strings.Contains(later.Error(), err.Error()) {
					t.Errorf("of an output: %v\nwant %v", later, err)
				}
			})
		}
	}
}
