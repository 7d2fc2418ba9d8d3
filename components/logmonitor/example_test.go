package logmonitor_test

import (
	"fmt"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

// The logs of IIS, and of an application of one's own, come out of kubectl logs.
func ExampleNewConfig() {
	program := func(ctx *pulumi.Context) error {
		logs, err := logmonitor.NewConfig(ctx, "shop", &logmonitor.ConfigArgs{
			Sources: append(logmonitor.ASPNET(), logmonitor.File{Directory: `C:\shop\logs`, Filter: "*.log"}),
		})
		if err != nil {
			return err
		}
		labels := pulumi.StringMap{"app": pulumi.String("shop")}
		template, err := logs.PodTemplate(corev1.PodTemplateSpecArgs{
			Metadata: metav1.ObjectMetaArgs{Labels: labels},
			Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name:    pulumi.String("shop"),
				Image:   pulumi.String("shop.example.com/shop:1.4-ltsc2022"), // with LogMonitor in it
				Command: logmonitor.IISCommand(),
			}}},
		})
		if err != nil {
			return err
		}
		_, err = workload.NewDeployment(ctx, "shop", &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022,
			Spec:     appsv1.DeploymentSpecArgs{Selector: metav1.LabelSelectorArgs{MatchLabels: labels}, Template: template},
		})
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	fmt.Println(err)
	deployment, _ := graph.Get("kubernetes:apps/v1:Deployment", "shop-deployment")
	pods := deployment.Plain()["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
	for _, word := range pods["containers"].([]any)[0].(map[string]any)["command"].([]any) {
		fmt.Println(word)
	}
	// Output:
	// <nil>
	// C:\LogMonitor\LogMonitor.exe
	// /CONFIG
	// C:\mounts\logmonitor\LogMonitorConfig.json
	// C:\ServiceMonitor.exe
	// w3svc
}

// What LogMonitor would skip in silence stops the preview.
func ExampleNewConfig_wrong() {
	program := func(ctx *pulumi.Context) error {
		_, err := logmonitor.NewConfig(ctx, "shop", &logmonitor.ConfigArgs{Sources: []logmonitor.Source{
			logmonitor.EventLog{Channels: []logmonitor.Channel{{Name: "application", Level: "Informations"}}},
			logmonitor.File{Directory: "logs"},
		}})
		return err
	}

	_, err := mocktest.Run(program, mocktest.Preview())
	fmt.Println(err)
	// Output:
	// mixedkube:logmonitor:Config "shop":
	//   sources[0].channels[0].level: Invalid value: "Informations": unknown level: did you mean "Information"? (use Critical, Error, Warning, Information or Verbose)
	//   sources[1].directory: Invalid value: "logs": must be an absolute path with its drive: write C:\logs for example
}

// The file can also be built into an image.
func ExampleLogConfig_JSON() {
	config := logmonitor.LogConfig{Sources: []logmonitor.Source{logmonitor.File{Directory: `C:\logs`}}}
	fmt.Print(config.JSON())
	// Output:
	// {
	//   "LogConfig": {
	//     "logFormat": "json",
	//     "sources": [
	//       {
	//         "type": "File",
	//         "directory": "C:\\logs",
	//         "filter": "*",
	//         "includeSubdirectories": false,
	//         "waitInSeconds": 300
	//       }
	//     ]
	//   }
	// }
}
