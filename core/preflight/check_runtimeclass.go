package preflight

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// runtimeClass checks a RuntimeClass.
func (c *check) runtimeClass() {
	c.classOf2019(tree.Map(tree.At(c.object["scheduling"], "nodeSelector")))
}

// classOf2019 reports the build of Windows Server 2019. For pods, the findings for their images report it.
func (c *check) classOf2019(selector map[string]any) {
	v := selector[labelBuild]
	text, _ := tree.Text(v)
	if text != platform.WindowsServer2019.Build() || !c.namesNo2019() {
		return
	}
	c.report(windows2019Outdated, rule.Problem{
		Path: "scheduling.nodeSelector" + pods.Join(pods.Key(labelBuild)), Value: v,
		Detail: "is the build of Windows Server 2019, which Kubernetes 1.36 no longer names for nodes",
		Fix:    "add another class for 10.0.20348, Windows Server 2022",
	})
}
