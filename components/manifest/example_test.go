package manifest_test

import (
	"fmt"

	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
)

const shop = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop # the old one
spec:
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      containers:
      - name: shop
        image: shop.example.com/shop:1.4
`

// Convert keeps the text, and adds the missing fields.
func ExampleConvert() {
	result, err := manifest.Convert([]manifest.File{{Name: "shop.yaml", Text: []byte(shop)}}, manifest.Options{
		Topology:  mixed,
		Platforms: map[string]platform.Platform{"Deployment/shop": platform.WindowsServer2022},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(result.Files[0].Text))
	// Output:
	// apiVersion: apps/v1
	// kind: Deployment
	// metadata:
	//   annotations:
	//     mixedkube.dev/placed: "release=windows-2022 nodeSelector=kubernetes.io/arch,kubernetes.io/os,node.kubernetes.io/windows-build tolerations=os=windows:NoSchedule os=windows"
	//   name: shop # the old one
	// spec:
	//   selector: {matchLabels: {app: shop}}
	//   template:
	//     metadata: {labels: {app: shop}}
	//     spec:
	//       nodeSelector:
	//         kubernetes.io/arch: amd64
	//         kubernetes.io/os: windows
	//         node.kubernetes.io/windows-build: 10.0.20348
	//       os:
	//         name: windows
	//       tolerations:
	//       - effect: NoSchedule
	//         key: os
	//         operator: Equal
	//         value: windows
	//       containers:
	//       - name: shop
	//         image: shop.example.com/shop:1.4
}

// A Group registers the objects of manifests, and mocks see each of them.
func ExampleNewGroup() {
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := manifest.NewGroup(ctx, "shop", &manifest.GroupArgs{
			YAML:    shop,
			Options: manifest.Options{Topology: mixed, AssumeLinux: true},
		})
		return err
	})
	for _, r := range graph.ByType("kubernetes:apps/v1:Deployment") {
		template := r.Plain()["spec"].(map[string]any)["template"].(map[string]any)
		fmt.Println(r.Name, template["spec"].(map[string]any)["nodeSelector"])
	}
	fmt.Println(err)
	// Output:
	// shop:shop map[kubernetes.io/os:linux]
	// <nil>
}

// The pods of a chart get the tolerations for the taint of the Windows pools.
func ExampleNewChart() {
	program := func(ctx *pulumi.Context) error {
		_, err := manifest.NewChart(ctx, "csi-driver-smb", &manifest.ChartArgs{
			Chart: helmv4.ChartArgs{ // repository and version as its charts/README.md says
				Chart:     pulumi.String("csi-driver-smb"),
				Namespace: pulumi.String("kube-system"),
				Values:    pulumi.Map{"windows": pulumi.Map{"enabled": pulumi.Bool(true), "useHostProcessContainers": pulumi.Bool(true)}},
			},
			Options: manifest.Options{Topology: mixed},
		})
		return err
	}
	graph, err := mocktest.Run(program, mocktest.Preview())
	for _, r := range graph.Resources() {
		fmt.Println(r)
	}
	fmt.Println(err)
	// Output:
	// kubernetes:helm.sh/v4:Chart "csi-driver-smb-chart"
	// mixedkube:manifest:Chart "csi-driver-smb"
	// <nil>
}
