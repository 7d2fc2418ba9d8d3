package guard_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

var shop = topology.Topology{Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux},
	{Name: "win22", Platform: platform.WindowsServer2022},
}}

// A program calls Run in place of pulumi.Run, and Enforce before it registers anything. With Place, pods that do not
// name an operating system get the fields that lead them to nodes for their images; so Linux Deployments and Helm
// charts need no change.
func ExampleRun() {
	guard.Run(func(ctx *pulumi.Context) error {
		return guard.Enforce(ctx, guard.Args{Topology: shop, Place: true, AssumeLinux: true})
		// Register the resources here.
	})
}

// Wrap an inline program of the Automation API.
func ExampleProgram() {
	ctx := context.Background()
	program := guard.Program(func(ctx *pulumi.Context) error {
		return guard.Enforce(ctx, guard.Args{Topology: shop})
		// Register the resources here.
	})
	stack, err := auto.UpsertStackInlineSource(ctx, "dev", "shop", program)
	if err != nil {
		fmt.Println(err)
		return
	}
	// With a mistake about Windows in the program, this is an error.
	_, err = stack.Preview(ctx)
	fmt.Println(err)
}

// A mistake about Windows stops the preview: the error has path, rule and fix.
func ExampleEnforce() {
	program := guard.Program(func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, guard.Args{Topology: shop}); err != nil {
			return err
		}
		_, err := corev1.NewPod(ctx, "web", &corev1.PodArgs{Spec: corev1.PodSpecArgs{
			NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("windows")},
			Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name:  pulumi.String("web"),
				Image: pulumi.String("mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019"),
			}},
		}})
		return err
	})
	_, err := mocktest.Run(program, mocktest.Preview())
	if found, ok := errors.AsType[*guard.Error](err); ok {
		for _, f := range found.Report.Blocking() {
			fmt.Println(f.Path, f.Rule)
			fmt.Println(f.Fix)
		}
	}
	// Output:
	// spec MK303
	// tolerate os=windows:NoSchedule, and use an image for Windows Server 2022
}

// Each provider has a cluster of its own. Place completes only pods of the selected namespaces.
func ExampleEnforce_clusters() {
	var found guard.Report
	program := guard.Program(func(ctx *pulumi.Context) error {
		development := topology.Topology{Pools: append(shop.Pools, topology.Pool{Name: "win25", Platform: platform.WindowsServer2025})}
		production := shop
		err := guard.Enforce(ctx, guard.Args{
			Clusters: []guard.Cluster{
				{Provider: "dev", Topology: development},
				{Provider: "prod", Topology: production},
			},
			Place:     true,
			PlaceOnly: []guard.Selection{{Namespaces: []string{"test"}}},
		})
		if err != nil {
			return err
		}
		dev, err := kubernetes.NewProvider(ctx, "dev", &kubernetes.ProviderArgs{})
		if err != nil {
			return err
		}
		_, err = corev1.NewPod(ctx, "web", &corev1.PodArgs{
			Metadata: metav1.ObjectMetaArgs{Namespace: pulumi.String("test")},
			Spec: corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
				Name: pulumi.String("web"), Image: pulumi.String("example.com/web:ltsc2025"),
			}}},
		}, pulumi.Provider(dev))
		return err
	}, guard.ReportTo(&found))
	_, err := mocktest.Run(program, mocktest.Preview())
	for _, landing := range found.Landings {
		fmt.Println(landing.Workload, landing.Pools)
	}
	fmt.Println(err)
	// Output:
	// web [win25]
	// <nil>
}

// A preview with a planned topology shows what the change strands: here a Pod that names the pool of 2022.
func ExampleEnforce_plan() {
	planned := topology.Topology{Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux},
		{Name: "win25", Platform: platform.WindowsServer2025},
	}}
	var found guard.Report
	program := guard.Program(func(ctx *pulumi.Context) error {
		err := guard.Enforce(ctx, guard.Args{
			Topology: shop,
			To:       planned,
		})
		if err != nil {
			return err
		}
		_, err = corev1.NewPod(ctx, "web", &corev1.PodArgs{Spec: corev1.PodSpecArgs{
			Os:           corev1.PodOSArgs{Name: pulumi.String("windows")},
			NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("windows"), "agentpool": pulumi.String("win22")},
			Tolerations:  corev1.TolerationArray{corev1.TolerationArgs{Operator: pulumi.String("Exists")}},
			Containers:   corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("web"), Image: pulumi.String("web:1")}},
		}})
		return err
	}, guard.ReportTo(&found))
	if _, err := mocktest.Run(program, mocktest.Preview()); err == nil {
		fmt.Println("nothing is stranded")
	}
	for _, f := range found.Blocking() {
		fmt.Println(f)
	}
	// Output:
	// spec.nodeSelector[agentpool]: "win22": the pods can land on win22 (1 node), but on no pool of the plan, which removes win22: not win25 (selects agentpool=win22, but its nodes have win25), nor linux (its nodes run Linux): select agentpool=win25 (MK319)
}

// A unit test with the mocks of Pulumi's SDK sees each error.
func ExampleError() {
	program := func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, guard.Args{Topology: shop}); err != nil {
			return err
		}
		_, err := corev1.NewPod(ctx, "web", &corev1.PodArgs{Spec: corev1.PodSpecArgs{
			NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("macos")},
			Containers:   corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("web"), Image: pulumi.String("web:1")}},
		}})
		return err
	}
	mocks := mocktest.Mocks()
	err := pulumi.RunErr(guard.Program(program), pulumi.WithMocks("project", "stack", mocks))
	if found, ok := errors.AsType[*guard.Error](err); ok {
		for _, f := range found.Report.Blocking() {
			fmt.Printf("%s: %s\n", f.Resource, f)
		}
	}
	// Output:
	// urn:pulumi:stack::project::kubernetes:core/v1:Pod::web: spec.nodeSelector[kubernetes.io/os]: "macos": matches no node: the values are linux and windows: write one of them (MK318)
}

// In a program with many findings only new ones are errors, and you can fix the others one after the other.
func ExampleEnforce_adoption() {
	guard.Run(func(ctx *pulumi.Context) error {
		return guard.Enforce(ctx, guard.Args{
			Topology: shop,
			// Written by: MIXEDKUBE_BASELINE=write pulumi preview
			Baseline: "known.yaml",
			Ignore: []guard.Ignore{
				{Rules: []string{"MK514"}, Namespaces: []string{"legacy-*"}, Reason: "no limits until the move in March"},
				{Resources: []string{"kubernetes:batch/v1:Job::migrate"}},
			},
		})
		// Register the resources as before.
	})
}

// A test compares the findings.
func ExampleReportTo() {
	var found guard.Report
	program := guard.Program(func(ctx *pulumi.Context) error {
		return guard.Enforce(ctx, guard.Args{Topology: shop})
		// Register the resources here.
	}, guard.ReportTo(&found))
	if _, err := mocktest.Run(program, mocktest.Preview()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(len(found.Blocking()), "errors in", found.Objects, "objects")
	// Output: 0 errors in 0 objects
}
