package pictures

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/clustermap"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/svg"
	"github.com/mixedkube/mixedkube/tests/internal/diagram"
)

// The positions in the picture of the cluster.
const (
	chipLeft, chipRoom, chipHeight = diagram.Margin, 248.0, 54.0
	frameLeft, frameTop            = 344.0, 84.0
	frameRoom                      = diagram.Width - diagram.Margin - frameLeft
	poolLeft, poolRoom             = frameLeft + 12, frameRoom - 24
	poolTop, poolHeight, poolStep  = frameTop + 54, 92.0, 104.0
)

// clusterPicture draws a cluster map with the workloads on the left and the pools on the right.
type clusterPicture struct {
	*diagram.Diagram
	*clustermap.Map
	// specs are the pod specs of the workloads, by name.
	specs map[string]map[string]any
}

func TestGeneratedPictureOfACluster(t *testing.T) {
	t.Parallel()
	all := objects(t, "testdata/shop.yaml")
	p := clusterPicture{Diagram: diagram.New(t), specs: map[string]map[string]any{}}
	p.Map = clustermap.New(clustermap.Source{Options: preflight.Options{Topology: cluster()}, Objects: all})
	for _, object := range all {
		name, _ := tree.Text(tree.At(object, "metadata", "name"))
		p.specs[name] = pods.ReadObject(object).Pods.Spec
	}
	if len(p.Pools) != 3 || len(p.Workloads) != len(all) || len(p.Pending) != 1 {
		t.Fatalf("the map has %d pools, %d workloads and %d pending", len(p.Pools), len(p.Workloads), len(p.Pending))
	}
	p.Text(diagram.Margin, 40, "heading", "Linux and Windows workloads in one Kubernetes cluster", 700)
	p.Text(diagram.Margin, 62, "soft", "Before you deploy, mixedkube shows which node pools can run each workload, "+
		"and why others cannot.", 752)
	bottom := p.frame()
	bottom = p.pending(bottom + 16)
	p.workloads()
	p.legend(p.pendingTop() + chipHeight + 34)
	p.Golden(t, dir+"cluster.svg", "A mixed Kubernetes cluster", p.description(), bottom+diagram.Margin)
}

// frame draws the cluster with its pools.
func (p clusterPicture) frame() float64 {
	bottom := poolTop + poolStep*float64(len(p.Pools))
	p.Rect(frameLeft, frameTop, frameRoom, bottom-frameTop, 12, "frame")
	p.Rect(poolLeft, frameTop+12, poolRoom, 30, 8, "chip")
	linux := clustermap.LookOf(p.Pools[0].Platform)
	p.Badge(poolLeft+14, frameTop+17, linux.Class, linux.Mark, linux.Round)
	p.Text(poolLeft+42, frameTop+31.5, "strong", "control plane", 120)
	p.Text(poolLeft+poolRoom-14, frameTop+31.5, "soft small end", "Kubernetes "+p.KubernetesVersion, 140)
	for i := range p.Pools {
		p.pool(poolTop+poolStep*float64(i), p.Pools[i])
	}
	return bottom
}

func (p clusterPicture) pool(y float64, pool clustermap.Pool) {
	look := clustermap.LookOf(pool.Platform)
	left, right := poolLeft+14, poolLeft+poolRoom-14
	p.Rect(poolLeft, y, poolRoom, poolHeight, 8, "card")
	p.Badge(left, y+13, look.Class, look.Mark, look.Round)
	p.Text(left+28, y+27.5, "strong", pool.Name, 60)
	p.Text(left+28+svg.Width(pool.Name, "strong")+8, y+27.5, "soft small", about(pool), 230)
	p.Text(right, y+27.5, "soft small end", fielderrors.Count(pool.Count, "node"), 60)
	if len(pool.Taints) == 0 {
		p.Text(left, y+51, "soft small", "no taints", 200)
	}
	for _, taint := range pool.Taints {
		p.Text(left, y+51, "soft small", "taint", 60)
		p.Text(left+36, y+51, "mono", topology.FormatTaint(taint), 240)
	}
	x := left
	order := p.ordered()
	landings := slices.SortedFunc(slices.Values(pool.Workloads), func(a, b clustermap.Landed) int {
		return cmp.Compare(slices.Index(order, a.Workload), slices.Index(order, b.Workload))
	})
	for _, landed := range landings {
		class, name := "fill ", p.Workloads[landed.Workload].Name
		if landed.Others > 0 {
			class = "hollow "
		}
		for range landed.Pods {
			p.Rect(x+0.75, y+67.75, 9.5, 9.5, 2, class+look.Class)
			x += 14
		}
		p.Text(x+3, y+77, "small", name, right-x)
		x += svg.Width(name, "small") + 18
	}
}

// about returns the platform of a pool, with its build.
func about(pool clustermap.Pool) string {
	text := clustermap.LookOf(pool.Platform).Platform
	if pool.Build != "" {
		text += " · " + pool.Build
	}
	return text
}

// workloads draws the workloads, each with lines to the pools that can run it.
func (p clusterPicture) workloads() {
	p.Text(chipLeft+14, frameTop+31.5, "soft", "What you deploy", chipRoom)
	ordered := p.ordered()
	space := poolStep*float64(len(p.Pools)) - 12
	step := (space - chipHeight) / float64(len(ordered)-2)
	arrived := map[int]float64{}
	for n, i := range ordered {
		w, y := p.Workloads[i], poolTop+step*float64(n)
		if w.Pending {
			p.chip(p.pendingTop()+9, w, "alarm")
			continue
		}
		p.chip(y, w, "card")
		for _, pool := range w.On {
			class := "thick tinted " + clustermap.LookOf(p.Pools[pool].Platform).Class
			if len(w.On) > 1 {
				class += " dashed"
			}
			to := poolTop + poolStep*float64(pool) + poolHeight/2 + arrived[pool]*16
			if p.shared(pool) {
				to -= 8
			}
			p.Curve(class, chipLeft+chipRoom, y+chipHeight/2, poolLeft, to)
			arrived[pool]++
		}
	}
}

// ordered sorts the workloads by their pools, pending ones last.
func (p clusterPicture) ordered() []int {
	all := make([]int, len(p.Workloads))
	for i := range all {
		all[i] = i
	}
	place := func(i int) int {
		sum := 0
		for _, pool := range p.Workloads[i].On {
			sum += pool * 6
		}
		if on := len(p.Workloads[i].On); on > 0 {
			return sum / on
		}
		return 6 * len(p.Pools)
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
	return all
}

// shared reports whether several workloads can land on a pool.
func (p clusterPicture) shared(pool int) bool { return len(p.Pools[pool].Workloads) > 1 }

func (p clusterPicture) chip(y float64, w clustermap.Workload, class string) {
	p.Rect(chipLeft, y, chipRoom, chipHeight, 8, class)
	right := chipLeft + chipRoom - 14
	p.Text(chipLeft+14, y+22, "strong", w.Name, 130)
	p.Text(right, y+22, "soft small end", w.Kind+", "+fielderrors.Count(w.Pods, "pod"), 130)
	class, text := p.constraint(w)
	p.Text(chipLeft+14, y+42, class, text, chipRoom-28)
}

// constraint returns what the pods of a workload require of their nodes.
func (p clusterPicture) constraint(w clustermap.Workload) (class, text string) {
	spec := p.specs[w.Name]
	if w.Pending {
		return "mono", "image: " + p.shortImage(w.Name)
	}
	if name, _ := tree.Text(spec["runtimeClassName"]); name != "" {
		return "mono", "runtimeClassName: " + name
	}
	if os, _ := tree.Text(tree.At(spec, "nodeSelector", "kubernetes.io/os")); os != "" {
		return "mono", "kubernetes.io/os: " + os
	}
	return "soft small", "no node selector, no tolerations"
}

// image returns the image of a workload's first container.
func (p clusterPicture) image(workload string) string {
	image, _ := tree.Text(tree.Map(tree.List(p.specs[workload]["containers"])[0])["image"])
	return image
}

// shortImage returns the image without its registry and repository path.
func (p clusterPicture) shortImage(workload string) string {
	return "…/" + path.Base(p.image(workload))
}

// legend explains the marks of a workload that can run on more than one pool.
func (p clusterPicture) legend(y float64) {
	p.Rect(chipLeft+14.75, y-9.25, 9.5, 9.5, 2, "hollow other")
	p.Text(chipLeft+32, y, "soft small", "can run on more than one pool", chipRoom-32)
}

func (p clusterPicture) pendingTop() float64 { return poolTop + poolStep*float64(len(p.Pools)) + 16 }

// pending draws the workload that no pool can run, and the reasons.
func (p clusterPicture) pending(y float64) float64 {
	pending := p.Pending[0]
	const inside = frameRoom - 28
	var lines []string
	for _, r := range pending.Reasons {
		text := strings.Replace(r.Texts[0], p.image(pending.Title), p.shortImage(pending.Title), 1)
		lines = append(lines, svg.Wrapped(strings.Join(r.Pools, ", ")+": "+text, "small", inside)...)
	}
	height := 36 + float64(len(lines))*diagram.LineHeight
	p.Rect(frameLeft, y, frameRoom, height, 8, "alarm")
	p.Rect(frameLeft, y, 4, height, 2, "alarm-edge")
	p.Text(frameLeft+18, y+23, "strong warn", "Pending: "+pending.Why, inside)
	for i, line := range lines {
		p.Text(frameLeft+18, y+43+float64(i)*diagram.LineHeight, "small", line, inside)
	}
	p.Curve("thick alarm-wire dashed", chipLeft+chipRoom, y+36, frameLeft, y+36)
	return y + max(height, chipHeight+9)
}

// description describes the picture for screen readers.
func (p clusterPicture) description() string {
	var text strings.Builder
	fmt.Fprintf(&text, "A cluster with Kubernetes %s and a control plane on Linux.", p.KubernetesVersion)
	for _, pool := range p.Pools {
		var taints, on []string
		for _, taint := range pool.Taints {
			taints = append(taints, topology.FormatTaint(taint))
		}
		for _, landed := range pool.Workloads {
			on = append(on, p.Workloads[landed.Workload].Name)
		}
		fmt.Fprintf(&text, "\nPool %s: %s, %s, %s. It runs %s.", pool.Name, about(pool),
			fielderrors.Count(pool.Count, "node"), cmp.Or(strings.Join(taints, ", "), "no taints"),
			strings.Join(on, ", "))
	}
	for _, pending := range p.Pending {
		fmt.Fprintf(&text, "\nPending: %s. %s", pending.Title, pending.Why)
		for _, r := range pending.Reasons {
			fmt.Fprintf(&text, " %s: %s.", strings.Join(r.Pools, ", "), r.Texts[0])
		}
	}
	return text.String()
}
