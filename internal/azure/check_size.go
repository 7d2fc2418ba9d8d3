package azure

import (
	"regexp"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/components/platform"
)

var (
	minCPU    = resource.MustParse("2")
	minMemory = resource.MustParse("2Gi")
)

// generation2Only are series that have no machines of generation 1.
var generation2Only = regexp.MustCompile(`^Standard_[DEF]\d.*_v[6-9]$`)

func (c *check) size(p pool) {
	path := p.at + "size"
	if p.Size == "" {
		c.report("MK791", problem{path: path, detail: "Azure needs the size of the nodes", fix: "say which, for example Standard_D4s_v5"})
		return
	}
	if capacity, known := p.Capacity(); known &&
		(capacity.Cpu().Cmp(minCPU) < 0 || capacity.Memory().Cmp(minMemory) < 0) {
		c.report("MK792", problem{
			path: path, value: p.Size,
			detail: "it has " + cpus(capacity) + " and " + gib(capacity) + ", and a node needs at least 2 CPUs and 2 GiB",
			fix:    "use a larger one, for example Standard_D4s_v5",
		})
	}
	if p.Platform == platform.WindowsServer2022 && p.Architecture() != "arm64" && generation2Only.MatchString(p.Size) {
		c.report("MK793", problem{
			path: path, value: p.Size,
			detail: "there are only machines of generation 2 of this size, and AKS makes Windows Server 2022 nodes as generation 1",
			fix:    "use a v5 size or older, for example Standard_D4s_v5, or windows-2025",
		})
	}
}

func cpus(r corev1.ResourceList) string {
	if r.Cpu().Value() == 1 {
		return "1 CPU"
	}
	return r.Cpu().String() + " CPUs"
}

func gib(r corev1.ResourceList) string {
	return strconv.FormatFloat(float64(r.Memory().Value())/(1<<30), 'f', -1, 64) + " GiB"
}
