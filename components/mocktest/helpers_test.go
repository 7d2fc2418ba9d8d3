package mocktest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type bucket struct {
	pulumi.CustomResourceState

	Size   pulumi.IntOutput    `pulumi:"size"`
	Key    pulumi.StringOutput `pulumi:"key"`
	Status pulumi.StringOutput `pulumi:"status"`
}

type site struct {
	pulumi.ResourceState

	Endpoint pulumi.StringOutput `pulumi:"endpoint"`
}

type cloud struct{ pulumi.ProviderResourceState }

func newBucket(
	ctx *pulumi.Context, name string, props pulumi.Map, options ...pulumi.ResourceOption,
) (*bucket, error) {
	b := &bucket{}
	return b, ctx.RegisterResource("shop:index:Bucket", name, props, b, options...)
}

// newSite returns a component with one child that has a fixed name.
func newSite(ctx *pulumi.Context, name string, options ...pulumi.ResourceOption) (*site, error) {
	s := &site{}
	if err := ctx.RegisterComponentResource("shop:index:Site", name, s, options...); err != nil {
		return nil, err
	}
	files, err := newBucket(ctx, name+"-files", pulumi.Map{"size": pulumi.Int(2)}, pulumi.Parent(s))
	if err != nil {
		return nil, err
	}
	s.Endpoint = pulumi.Sprintf("https://%s", files.Status)
	return s, ctx.RegisterResourceOutputs(s, pulumi.Map{"endpoint": s.Endpoint})
}

const bucketURN = "urn:pulumi:stack::project::shop:index:Bucket::"

func diff(t *testing.T, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("unexpected (-want +got):\n%s", d)
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func prop(v string) resource.PropertyValue { return resource.NewProperty(v) }
