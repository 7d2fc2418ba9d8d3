package guardtest_test

import (
	"errors"
	"fmt"
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/guard/guardtest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	_ "github.com/mixedkube/mixedkube/internal/system/clock/clocktest"
)

func shop(ctx *pulumi.Context) error {
	_, err := corev1.NewPod(ctx, "web", &corev1.PodArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("web")},
		Spec: corev1.PodSpecArgs{
			Os:           corev1.PodOSArgs{Name: pulumi.String("windows")},
			NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("windows")},
			HostPID:      pulumi.Bool(true),
			Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
				Key: pulumi.String("os"), Value: pulumi.String("windows"),
			}},
			Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name: pulumi.String("web"), Image: pulumi.String("shop/web:ltsc2022"),
			}},
		},
	})
	return err
}

// The report has the findings of a preview, as values that a test can compare.
func Example() {
	cluster := topology.Topology{Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Count: 3},
		{Name: "win22", Platform: platform.WindowsServer2022, Count: 2},
		{Name: "win25", Platform: platform.WindowsServer2025, Count: 1},
	}}
	report, err := guardtest.Preview(guardtest.Enforced(guard.Args{Topology: cluster}, shop))
	for _, f := range report.Findings {
		fmt.Println(f.Name, f.Path, f.Rule)
	}
	for _, l := range report.Landings {
		fmt.Println(l.Workload, "lands on", l.Pools)
		for _, r := range l.Refused {
			fmt.Printf("not on %s:\n  %s\n", r.Pool, strings.Join(r.Reasons, "\n  "))
		}
	}
	_, stopped := errors.AsType[*guard.Error](err)
	fmt.Println("stopped:", stopped)
	// Output:
	// web spec.containers[0].image MK305
	// web spec.hostPID MK111
	// web lands on [win22]
	// not on sys:
	//   selects kubernetes.io/os=windows, but its nodes have linux
	//   spec.os.name is windows, but its nodes run Linux
	//   image shop/web:ltsc2022 is a Windows image, but its nodes run Linux
	// not on win25:
	//   image shop/web:ltsc2022 needs Windows Server 2022, but its nodes run Windows Server 2025
	// stopped: true
}
