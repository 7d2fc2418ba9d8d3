package hostprocess_test

import (
	"context"
	"fmt"
	"net/netip"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// A cluster of kubeadm with flannel needs both on its Windows nodes.
func Example() {
	pods := network.Network{Kind: network.FlannelVXLAN, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")}
	program := func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewFlannel(ctx, "network", &hostprocess.FlannelArgs{Network: pods, Endpoint: pulumi.String("api.example.com:6443")})
		if err != nil {
			return err
		}
		_, err = hostprocess.NewKubeProxy(ctx, "proxy", &hostprocess.KubeProxyArgs{Network: pods, Endpoint: pulumi.String("api.example.com:6443")})
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	for _, set := range graph.ByType("kubernetes:apps/v1:DaemonSet") {
		fmt.Println(set.Plain()["metadata"].(map[string]any)["name"])
	}
	fmt.Println(err)
	// Output:
	// kube-flannel-ds
	// kube-flannel-windows
	// kube-proxy-windows
	// <nil>
}

// The pods are the ordinary ones: host process, users, selector and tolerations are added.
func ExampleNewDaemonSet() {
	containerd := hostprocess.Containerd16
	program := func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewDaemonSet(ctx, "cleaner", &hostprocess.DaemonSetArgs{
			Platforms: []platform.Platform{platform.WindowsServer2022},
			User:      hostprocess.LocalService,
			Pods: corev1.PodSpecArgs{
				Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name:  pulumi.String("cleaner"),
					Image: pulumi.String(hostprocess.DefaultImage),
					Command: pulumi.ToStringArray([]string{
						"powershell.exe", "-File", containerd.Path("/scripts/clean.ps1"),
					}),
					VolumeMounts: corev1.VolumeMountArray{corev1.VolumeMountArgs{Name: pulumi.String("scripts"), MountPath: pulumi.String("/scripts")}},
				}},
				Volumes: corev1.VolumeArray{corev1.VolumeArgs{
					Name: pulumi.String("scripts"), ConfigMap: corev1.ConfigMapVolumeSourceArgs{Name: pulumi.String("cleaner")},
				}},
			},
		})
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	fmt.Println(err)
	set, _ := graph.Get("kubernetes:apps/v1:DaemonSet", "cleaner-daemonset")
	pods := set.Plain()["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
	fmt.Println(pods["hostNetwork"], pods["securityContext"])
	fmt.Println(pods["containers"].([]any)[0].(map[string]any)["command"])
	// Output:
	// <nil>
	// true map[windowsOptions:map[hostProcess:true runAsUserName:NT AUTHORITY\Local service]]
	// [powershell.exe -File $env:CONTAINER_SANDBOX_MOUNT_POINT\scripts\clean.ps1]
}

// The metrics of all Windows nodes, found by the Prometheus operator.
func ExampleNewWindowsExporter() {
	program := func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewWindowsExporter(ctx, "metrics", &hostprocess.WindowsExporterArgs{ServiceMonitor: true})
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	fmt.Println(err)
	for _, r := range graph.Resources() {
		fmt.Println(r.Name)
	}
	// Unordered output:
	// <nil>
	// metrics
	// metrics-config
	// metrics-daemonset
	// metrics-service
	// metrics-servicemonitor
}

// A program that adopts a ServiceAccount which it has registered itself before: options for one child of a component
// come from a transform, which sees each child by its type and name.
func ExampleNewNodeProblemDetector() {
	adopt := pulumi.Transforms([]pulumi.ResourceTransform{
		func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
			if args.Type != "kubernetes:core/v1:ServiceAccount" || args.Name != "detector-account" {
				return nil
			}
			args.Opts.Aliases = append(args.Opts.Aliases, pulumi.Alias{Name: pulumi.String("account"), NoParent: pulumi.Bool(true)})
			return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
		},
	})
	program := func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewNodeProblemDetector(ctx, "detector", &hostprocess.NodeProblemDetectorArgs{
			Endpoint: pulumi.String("api.example.com:6443"),
		}, adopt)
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	fmt.Println(err)
	for _, account := range graph.ByType("kubernetes:core/v1:ServiceAccount") {
		fmt.Println(account, "was", account.Aliases[0].Name)
	}
	// Output:
	// <nil>
	// kubernetes:core/v1:ServiceAccount "detector-account" was account
}
