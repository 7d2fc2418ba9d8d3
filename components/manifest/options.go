package manifest

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/internal/childoptions"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// options is what the options of a group can reach.
func options(group string, objects []Object) childoptions.Component {
	c := childoptions.Component{
		Token: groupToken, Name: group, PassesTimeouts: true,
		// Their objects have the names that ours have.
		Formerly: []string{"kubernetes:yaml/v2:ConfigGroup", "kubernetes:yaml/v2:ConfigFile"},
	}
	for _, o := range objects {
		c.Others = append(c.Others, childoptions.Child{Type: token(o), Name: resourceName(group, o), Short: o.Name})
	}
	return c
}

// patient are the timeouts of an object by default: longer ones if it has pods on Windows, and no
// annotation of its own, which Pulumi would not follow then.
func patient(o Object) pulumi.CustomTimeouts {
	_, said := tree.Map(tree.At(o.Tree, "metadata", "annotations"))["pulumi.com/timeoutSeconds"]
	if said || o.OS != platform.WindowsOS {
		return pulumi.CustomTimeouts{}
	}
	return childoptions.Start(childoptions.WindowsStart)
}
