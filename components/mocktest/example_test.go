package mocktest_test

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// A program with a component, a secret and a dependency, in a preview: the
// status of the first bucket is known only after an update.
func Example() {
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		web, err := newSite(ctx, "web")
		if err != nil {
			return err
		}
		logs, err := newBucket(ctx, "logs", pulumi.Map{
			"key":     pulumi.ToSecret("s3cret"),
			"from":    web.Endpoint,
			"regions": pulumi.ToStringArray([]string{"eu", "us"}),
		}, pulumi.Protect(true))
		ctx.Export("key", logs.Key)
		return err
	}, mocktest.Preview(), mocktest.Project("shop", "dev"))
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(graph)
	// Output:
	// shop-dev (preview)
	//   shop:index:Bucket "logs"
	//     protect
	//     depends on:
	//       shop:index:Bucket "web-files" (from)
	//     inputs:
	//       from: [unknown]
	//       key: [secret]
	//       regions: [eu, us]
	//   shop:index:Site "web" (component)
	//     outputs:
	//       endpoint: [unknown]
	//     shop:index:Bucket "web-files"
	//       inputs:
	//         size: 2
	// exports:
	//   key: [secret]
}

// Outputs adds to the inputs what a provider would add, and Calls answers calls to it.
func ExampleOutputs() {
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		b, err := newBucket(ctx, "logs", pulumi.Map{"size": pulumi.Int(2)})
		ctx.Export("status", b.Status)
		return err
	}, mocktest.Outputs(func(r mocktest.Resource) resource.PropertyMap {
		return resource.PropertyMap{"status": resource.NewProperty("ready: " + r.Name)}
	}))
	fmt.Println(mocktest.Plain(graph.Exports()), err)
	// Output: map[status:ready: logs] <nil>
}
