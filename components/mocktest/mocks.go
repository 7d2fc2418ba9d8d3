package mocktest

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Mocks are what [Run] answers with these options, for the mocks of Pulumi's SDK:
//
//	mocks := mocktest.Mocks(akstest.Azure())
//	err := pulumi.RunErr(program, pulumi.WithMocks("project", "stack", mocks))
//
// So a test that uses those has the same answers. A resource that [Outputs] is asked for has no URN,
// no parent and no provider here. What a program is run with, such as [Config] and [Project], is for
// [pulumi.RunErr] to say. [After] is only for Run. With [Preview], IDs and all outputs that are not
// inputs are left out; set DryRun of [pulumi.RunInfo] as well.
func Mocks(options ...Option) pulumi.MockResourceMonitorWithMethodCall {
	return mocks{newRecorder(newSettings(options))}
}

type mocks struct{ recorder *recorder }

func (m mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	r, err := registered(args.RegisterRPC)
	if args.ReadRPC != nil {
		r, err = read(args.ReadRPC)
	}
	if err != nil {
		return "", nil, err
	}
	return m.recorder.answer(r, verdict{inputs: r.Inputs})
}

func (m mocks) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	return m.recorder.call(Call{Token: args.Token, Args: args.Args}, args.Provider)
}

func (m mocks) MethodCall(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	return m.recorder.call(Call{Token: args.Token, Args: args.Args, Method: true}, args.Provider)
}
