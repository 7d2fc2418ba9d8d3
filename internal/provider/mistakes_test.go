package provider

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// mistakes are programs in Go with the mistakes of the files in testdata/mistakes, each a component called wrong. The
// tests of the languages (tests/languages) read the same files.
var mistakes = map[string]func(*pulumi.Context) error{
	"aks": func(ctx *pulumi.Context) error {
		_, err := aks.NewCluster(ctx, "wrong", &aks.ClusterArgs{
			KubernetesVersion: "1.36",
			Pools: []topology.Pool{
				{Name: "windows22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"},
			},
			Network:      aks.Network{OutboundType: aks.UserDefinedRouting},
			WindowsAdmin: aks.WindowsAdmin{Username: "administrator", Password: pulumi.String("short")},
		})
		return err
	},
	"cron-job": func(ctx *pulumi.Context) error {
		_, err := workload.NewCronJob(ctx, "wrong", &workload.CronJobArgs{
			Platform: platform.WindowsServer2022,
			Spec: batchv1.CronJobSpecArgs{
				Schedule: pulumi.String("@daily"),
				JobTemplate: batchv1.JobTemplateSpecArgs{Spec: batchv1.JobSpecArgs{
					Template: corev1.PodTemplateSpecArgs{Spec: corev1.PodSpecArgs{
						HostPID: pulumi.Bool(true), HostIPC: pulumi.Bool(true), RestartPolicy: pulumi.String("Never"),
						Containers: corev1.ContainerArray{corev1.ContainerArgs{
							Name: pulumi.String("report"), Image: pulumi.String("report:ltsc2022"),
							Command: pulumi.ToStringArray([]string{"/bin/sh", "-c", "report"}),
						}},
					}},
				}},
			},
		})
		return err
	},
	"daemon-set": func(ctx *pulumi.Context) error {
		_, err := workload.NewDaemonSet(ctx, "wrong", &workload.DaemonSetArgs{
			Platform: platform.WindowsServer2019,
			Topology: topology.Topology{KubernetesVersion: "1.35", Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
			}},
			Spec: appsv1.DaemonSetSpecArgs{Selector: selecting("agent"), Template: labeled("agent", corev1.PodSpecArgs{
				Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("agent"), Image: pulumi.String("agent:ltsc2019"),
				}},
			})},
		})
		return err
	},
	"deployment": func(ctx *pulumi.Context) error {
		_, err := workload.NewDeployment(ctx, "wrong", &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022,
			Spec: appsv1.DeploymentSpecArgs{Selector: selecting("web"), Template: labeled("web", corev1.PodSpecArgs{
				SecurityContext: corev1.PodSecurityContextArgs{
					RunAsUser: pulumi.Int(1000), FsGroup: pulumi.Int(2000),
				},
				Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("web"),
					Image: pulumi.String(
						"mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019"),
					SecurityContext: corev1.SecurityContextArgs{Privileged: pulumi.Bool(true)},
				}},
			})},
		})
		return err
	},
	"gmsa": func(ctx *pulumi.Context) error {
		_, err := gmsa.NewCredentialSpec(ctx, "wrong", &gmsa.CredentialSpecArgs{
			Name: "Web_App", Account: "web app$", Domain: gmsa.Domain{
				DNSName: "contoso", NetBIOSName: "CONTOSO.COM", SID: "S-1-5", GUID: "contoso",
			},
		})
		return err
	},
	"group": func(ctx *pulumi.Context) error {
		file, err := readMistake("group")
		if err != nil {
			return err
		}
		_, err = manifest.NewGroup(ctx, "wrong", &manifest.GroupArgs{
			YAML: file.Properties["yaml"].(string),
			Options: manifest.Options{Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
			}}},
		})
		return err
	},
	"host-process": func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewDaemonSet(ctx, "wrong", &hostprocess.DaemonSetArgs{
			User: `NT AUTHORITY\Administrator`, Platforms: []platform.Platform{platform.WindowsServer2022},
			Pods: corev1.PodSpecArgs{
				HostNetwork: pulumi.Bool(false),
				Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("agent"), Image: pulumi.String("agent"),
					SecurityContext: corev1.SecurityContextArgs{Capabilities: corev1.CapabilitiesArgs{
						Add: pulumi.ToStringArray([]string{"NET_ADMIN"}),
					}},
				}},
			},
		})
		return err
	},
	"kubeadm": func(ctx *pulumi.Context) error {
		_, err := kubeadm.NewCluster(ctx, "wrong", &kubeadm.ClusterArgs{
			KubernetesVersion: "1.36", Location: pulumi.String("westeurope"),
			Network: network.Network{
				NodeCIDR: netip.MustParsePrefix("10.0.0.0/16"), PodCIDR: netip.MustParsePrefix("10.244.0.0/16"),
				ServiceCIDR: netip.MustParsePrefix("10.244.0.0/20"),
			},
			LinuxAdmin:   kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String("ssh-rsa")},
			Pools:        []topology.Pool{{Name: "win22", Platform: platform.WindowsServer2022, Count: 1}},
			WindowsAdmin: kubeadm.WindowsAdmin{Username: "admin", Password: pulumi.String("Passw0rd-of-tests")},
		})
		return err
	},
	"pod": func(ctx *pulumi.Context) error {
		_, err := workload.NewPod(ctx, "wrong", &workload.PodArgs{
			Platform: platform.WindowsServer2016, User: "root",
			Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name: pulumi.String("web"), Image: pulumi.String("web"),
			}}},
		})
		return err
	},
	"runtime-classes": func(ctx *pulumi.Context) error {
		_, err := runtimeclass.NewSet(ctx, "wrong", &runtimeclass.SetArgs{
			Keep: []platform.Platform{"windows-2016"},
			Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
				{Name: "win19", Platform: platform.WindowsServer2019},
				{Name: "win19", Platform: platform.WindowsServer2022, Count: -1},
			}},
		})
		return err
	},
	"stateful-set": func(ctx *pulumi.Context) error {
		_, err := workload.NewStatefulSet(ctx, "wrong", &workload.StatefulSetArgs{
			Platform: platform.WindowsServer2025,
			Topology: topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux},
				{Name: "win25", Platform: platform.WindowsServer2025, Size: "Standard_D4s_v5"},
			}},
			Spec: appsv1.StatefulSetSpecArgs{
				ServiceName: pulumi.String("store"), Selector: selecting("store"),
				Template: labeled("store", corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("store"), Image: pulumi.String("store:ltsc2025"),
					Resources: corev1.ResourceRequirementsArgs{
						Requests: pulumi.StringMap{"memory": pulumi.String("20Gi")},
						Limits:   pulumi.StringMap{"memory": pulumi.String("20Gi")},
					},
				}}}),
			},
		})
		return err
	},
	"windows-exporter": func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewWindowsExporter(ctx, "wrong", &hostprocess.WindowsExporterArgs{
			Collectors: []string{"cpu", "memori"}, AllowedSources: []string{"10.0.0.0/33"},
		})
		return err
	},
}

func selecting(app string) metav1.LabelSelectorArgs {
	return metav1.LabelSelectorArgs{MatchLabels: pulumi.StringMap{"app": pulumi.String(app)}}
}

func labeled(app string, spec corev1.PodSpecArgs) corev1.PodTemplateSpecArgs {
	labels := pulumi.StringMap{"app": pulumi.String(app)}
	return corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: spec}
}

// mistake is a resource in a program in YAML.
type mistake struct {
	Type       string
	Properties map[string]any
}

func readMistake(name string) (mistake, error) {
	var m mistake
	content, err := os.ReadFile(filepath.Join("testdata", "mistakes", name+".yaml"))
	if err != nil {
		return m, err
	}
	return m, yaml.Unmarshal(content, &m)
}

// TestMistakes checks that the plugin's answers have each error of the components in Go, path by path. The tests of the
// languages look for the same errors in the output of the CLI.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for name, typed := range mistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, err := readMistake(name)
			if err != nil {
				t.Fatal(err)
			}
			_, inGo := mocktest.Run(typed, mocktest.Preview())
			_, remotely := run(func(ctx *pulumi.Context) error {
				inputs := pulumi.Map{}
				for key, value := range file.Properties {
					inputs[key] = pulumi.Any(resource.NewPropertyValue(value).Mappable())
				}
				_, err := register(ctx, file.Type, "wrong", inputs)
				return err
			}, mocktest.Preview(), served(t))
			if inGo == nil || remotely == nil {
				t.Fatalf("in Go: %v\nthrough the plugin: %v", inGo, remotely)
			}
			golden.Equal(t, "testdata/mistakes/"+name+".golden", ruletest.WithoutSentences(inGo.Error())+"\n")
			if at := fmt.Sprintf("::%s::wrong: ", file.Type); !strings.Contains(remotely.Error(), at) {
				t.Errorf("nothing is shown at the resource:\n%v", remotely)
			}
			for line := range strings.Lines(inGo.Error()) {
				if !strings.Contains(remotely.Error(), strings.TrimSpace(line)) {
					t.Errorf("through the plugin:\n%v\nwithout:\n%s", remotely, line)
				}
			}
		})
	}
	files, err := filepath.Glob("testdata/mistakes/*.yaml")
	if err != nil || len(files) != len(mistakes) {
		t.Errorf("%d files with mistakes and %d programs in Go (%v)", len(files), len(mistakes), err)
	}
}
