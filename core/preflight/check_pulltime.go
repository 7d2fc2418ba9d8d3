package preflight

import (
	"fmt"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var pullLongerThanDeadline = rule.Rule{
	ID: "MK220", Severity: rule.Warning, Title: "Windows images that are too large for a deadline",
	Reason: "Deadlines of Deployments, Jobs and Pods include the time to pull images: a Deployment is reported as " +
		"failed, and pods of Jobs and Pods are killed. The rule assumes 30 MiB per second for the compressed layers " +
		"above the lowest one, which nodes often have already. This is twice the speed that is reported for Windows " +
		"nodes. Startup probes start after the pull. The rule checks images in the lock file.",
	Source: "https://github.com/Azure/AKS/issues/4269, 18 GiB in 20 minutes; " +
		"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#progress-deadline-seconds; " +
		"https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup",
}

var slowPull = rule.Rule{
	ID: "MK221", Severity: rule.Info, Title: "Windows images that new nodes take minutes to pull",
	Reason: "Each node that an upgrade, a scale-up or a repair adds has to pull the images before pods of a " +
		"Deployment or StatefulSet start there. By the measure of MK220 this takes more than 5 minutes, while " +
		"drained pods have ended already. Anything else with a timeout for the start of a pod may fail too. The rule " +
		"checks images in the lock file.",
	Source: "https://github.com/Azure/AKS/issues/1293; https://github.com/Azure/AKS/issues/1532; " +
		"https://github.com/projectcalico/calico/issues/12862",
}

const (
	// slow is how many seconds a pull may take before it is reported, without any deadline.
	slow = 300
	// pulled is how many bytes per second a Windows node is assumed to pull and unpack.
	pulled = 30 << 20
	// progressDeadline is the default of Deployments, in seconds.
	progressDeadline = 600
)

// pullTime compares the sizes of Windows images with the deadline of their pods, and with the usual timeouts for a new
// node.
func (c *check) pullTime(p *judged) {
	if p.target.OS() != platform.WindowsOS {
		return
	}
	size, largest := p.pullSize()
	if size == 0 {
		return // unknown size
	}
	seconds := (size + pulled - 1) / pulled
	path, deadline, ok := p.deadline()
	if !ok || seconds <= deadline {
		c.slowPull(p, largest, size, seconds)
		return
	}
	c.report(pullLongerThanDeadline, rule.Problem{
		Path: path,
		Detail: fmt.Sprintf("is %d seconds, and pulling the images takes about %s at 30 MiB a second: they have %.1f "+
			"GiB above their base", deadline, time.Duration(seconds)*time.Second, float64(size)/(1<<30)),
		Fix: fmt.Sprintf("set it to more than %d, make the images smaller, or pull them onto the nodes before",
			seconds),
	})
}

// slowPull ignores DaemonSets: a DaemonSet that pulls the image for other pods is the remedy.
func (c *check) slowPull(p *judged, largest int, size, seconds int64) {
	if seconds <= slow || p.Kind != "Deployment" && p.Kind != "StatefulSet" {
		return
	}
	ctr := &p.Containers[largest]
	c.report(slowPull, rule.Problem{
		Path: p.In(ctr, "image"), Value: ctr.Spec["image"],
		Detail: fmt.Sprintf("the images have %.1f GiB above their base, and each new node pulls them for about %s at "+
			"30 MiB a second before the pods start", float64(size)/(1<<30), time.Duration(seconds)*time.Second),
		Fix: "make the images smaller, or pull them with a DaemonSet onto a spare node",
	})
}

// deadline returns the shortest deadline that runs while images are pulled, in seconds.
func (p *judged) deadline() (path string, seconds int64, ok bool) {
	take := func(at string, v any, otherwise int64) {
		limit, known := tree.Int(v)
		switch _, secret := v.(tree.Secret); {
		case secret:
			return // a secret is not shown
		case v == nil && otherwise > 0:
			limit, known = otherwise, true
		}
		if known && limit > 0 && (!ok || limit < seconds) {
			path, seconds, ok = at, limit, true
		}
	}
	take(p.Path("activeDeadlineSeconds"), p.Spec["activeDeadlineSeconds"], 0)
	switch p.Kind {
	case "Deployment":
		if !tree.IsUnknown(p.Object["spec"]) {
			take("spec.progressDeadlineSeconds", tree.At(p.Object, "spec", "progressDeadlineSeconds"), progressDeadline)
		}
	case "Job", "CronJob":
		at := strings.TrimSuffix(p.Prefix, "template.")
		keys := append(strings.Split(strings.TrimSuffix(at, "."), "."), "activeDeadlineSeconds")
		take(at+"activeDeadlineSeconds", tree.At(p.Object, keys...), 0)
	}
	return path, seconds, ok
}

// pullSize returns the size of the image layers above the lowest ones, for the smallest variants, counting each image
// once, because the kubelet pulls one image after the other. largest is the index of a container.
func (p *judged) pullSize() (total int64, largest int) {
	var most int64
	seen := map[*platform.Facts]bool{}
	for i, image := range p.target.Images {
		if image.Facts == nil || seen[image.Facts] {
			continue
		}
		seen[image.Facts] = true
		smallest := int64(-1)
		for _, v := range image.Facts.For(platform.WindowsOS) {
			if !v.Read() {
				continue
			}
			if above := v.Size() - v.Layers[0]; smallest < 0 || above < smallest {
				smallest = above
			}
		}
		if smallest > most {
			most, largest = smallest, i
		}
		total += max(0, smallest)
	}
	return total, largest
}
