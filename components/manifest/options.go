package manifest

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/components/childoptions"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// options describes what the options of a group can reach.
func options(group string, objects []Object) childoptions.Component {
	c := childoptions.Component{
		Token: groupToken, Name: group, PassesTimeouts: true,
		// Their objects have the same names as in this package.
		Formerly: []string{"kubernetes:yaml/v2:ConfigGroup", "kubernetes:yaml/v2:ConfigFile"},
	}
	for _, o := range objects {
		c.Others = append(c.Others, childoptions.Child{Type: token(o), Name: resourceName(group, o), Short: o.Name})
	}
	return c
}

// timeoutsOf returns the default timeouts of an object: longer ones if it has pods on Windows and no annotation with a
// timeout, which Pulumi would then ignore.
func timeoutsOf(o Object) pulumi.CustomTimeouts {
	_, annotated := tree.Map(tree.At(o.Tree, "metadata", "annotations"))["pulumi.com/timeoutSeconds"]
	if annotated || o.OS != platform.WindowsOS {
		return pulumi.CustomTimeouts{}
	}
	return childoptions.Start(childoptions.WindowsStart)
}
