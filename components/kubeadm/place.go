package kubeadm

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/input"
)

// place is where machines are made, and what they have in common.
type place struct {
	// group is the resource group, and cluster the beginning of all names in it.
	group    pulumi.StringOutput
	cluster  string
	location pulumi.StringPtrInput
	tags     pulumi.StringMapInput
	// linux and windows are the administrators.
	linux   LinuxAdmin
	windows WindowsAdmin
	// forwards says whether machines pass packets on that are not for their own address,
	// and not from it: those of pods.
	forwards bool
}

// newPlace has the administrators' defaults, and secrets that are secret.
func newPlace(group pulumi.StringOutput, cluster string, location pulumi.StringInput, tags pulumi.StringMapInput, linux LinuxAdmin, windows WindowsAdmin, forwards bool) place {
	if linux.Username == "" {
		linux.Username = DefaultUsername
	}
	if windows.Username == "" {
		windows.Username = DefaultUsername
	}
	if windows.Password != nil {
		windows.Password = checkedPassword(windows.Password)
	}
	return place{group: group, cluster: cluster, location: input.Optional(location), tags: tags, linux: linux, windows: windows, forwards: forwards}
}
