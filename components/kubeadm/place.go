package kubeadm

import (
	"cmp"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm/plan"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/refusal"
)

// place is where machines are made, and what they have in common.
type place struct {
	// subject is the component, for errors, and ignored are the rules that it ignores.
	subject string
	ignored []string
	// group is the resource group, and cluster the beginning of all names in it.
	group    pulumi.StringOutput
	cluster  string
	location pulumi.StringPtrInput
	tags     pulumi.StringMapInput
	// linux and windows are the administrators.
	linux   LinuxAdmin
	windows WindowsAdmin
	// forwards reports whether machines pass packets on that are not for their own address,
	// and not from it: those of pods.
	forwards bool
}

// withDefaults has the administrators' defaults, secrets that are secret, and texts that
// are checked when they are known.
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
