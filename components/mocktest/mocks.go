package mocktest

import (
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Mocks returns the answers of [Run] with these options, as mocks for Pulumi's SDK:
//
//	mocks := mocktest.Mocks(akstest.Azure())
//	err := pulumi.RunErr(program, pulumi.WithMocks("project", "stack", mocks))
//
// So a test with those mocks gets the same answers. The resources that are passed to [Outputs] have no URN, no parent
// and no provider here. Pass the settings of a run, such as [Config] and [Project], to [pulumi.RunErr] instead. [After]
// works only with Run. With [Preview], IDs and all outputs that are not inputs are left out; set DryRun of
// [pulumi.RunInfo] as well.
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
