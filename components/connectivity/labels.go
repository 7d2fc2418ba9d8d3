package connectivity

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/platform"
)

const (
	labelName      = "app.kubernetes.io/name"
	labelInstance  = "app.kubernetes.io/instance"
	labelComponent = "app.kubernetes.io/component"

	// labelPlatform is the platform of a target. Pods of Jobs must not have it: Services would lead to them.
	labelPlatform = "mixedkube.dev/platform"
	labelFrom     = "mixedkube.dev/from"
	labelTo       = "mixedkube.dev/to"

	annotationRun = "mixedkube.dev/run"
)

func labelsOf(suite, component string, others map[string]string) pulumi.StringMap {
	labels := pulumi.ToStringMap(others)
	labels[labelName] = pulumi.String("mixedkube-connectivity")
	labels[labelInstance] = pulumi.String(suite)
	labels[labelComponent] = pulumi.String(component)
	return labels
}

// targetLabels select the pod of a platform.
func targetLabels(suite string, p platform.Platform) pulumi.StringMap {
	return labelsOf(suite, "target", map[string]string{labelPlatform: p.String()})
}

// checkLabels returns the labels of a Job and its pods.
func checkLabels(suite string, p pair) pulumi.StringMap {
	from := p.source.platform.String()
	if p.source.node {
		from += "-node"
	}
	return labelsOf(suite, "check", map[string]string{labelFrom: from, labelTo: p.target.String()})
}
