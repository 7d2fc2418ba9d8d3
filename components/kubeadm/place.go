package kubeadm

import (
	"cmp"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// place is where machines are created, and what they have in common.
type place struct {
	// subject names the component in errors; ignored lists the rules that it ignores.
	subject string
	ignored []string
	// group is the resource group; cluster is the prefix of all names in it.
	group    pulumi.StringOutput
	cluster  string
	location pulumi.StringPtrInput
	tags     pulumi.StringMapInput
	// linux and windows are the administrators.
	linux   LinuxAdmin
	windows WindowsAdmin
	// forwards reports whether machines forward packets that are neither for nor from their own
	// address: the packets of pods.
	forwards bool
}

// withDefaults sets the administrators' defaults, marks secrets, and has texts that are outputs
// checked when they are known.
func (p place) withDefaults() place {
	p.linux.Username = cmp.Or(p.linux.Username, DefaultUsername)
	p.windows.Username = cmp.Or(p.windows.Username, DefaultUsername)
	if key := p.linux.SSHPublicKey; key != nil {
		p.linux.SSHPublicKey = p.checked(key, plan.CheckPublicKey)
	}
	if password := p.windows.Password; password != nil {
		p.windows.Password = p.checked(pulumi.ToSecret(password).(pulumi.StringOutput), plan.CheckPassword)
	}
	return p
}

func (p place) checked(text pulumi.StringInput, check func(string) []rule.Finding) pulumi.StringOutput {
	return refusal.Checked(p.subject, plan.Rules(), p.ignored, text, check)
}
