package preflight

import (
	"fmt"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/tree"
)

var pullLongerThanDeadline = rule.Rule{
	ID: "MK220", Severity: rule.Warning, Title: "images for Windows that are too large for a deadline",
	Reason: "Deadlines of Deployments, Jobs and Pods count while images are pulled: a Deployment is reported as " +
		"failed, and pods of the others are ended. The rule assumes 30 MiB a second for the compressed layers above " +
		"the lowest one, which nodes often have already: twice of what is reported of Windows nodes. Startup probes " +
		"begin after the pull. It is said of images in the lock file.",
	Source: "https://github.com/Azure/AKS/issues/4269, 18 GiB in 20 minutes; " +
		"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#progress-deadline-seconds; " +
		"https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup",
}

const (
	// pulled is how many bytes a Windows node is assumed to pull and unpack in a second.
	pulled = 30 << 20
	// progressDeadline is the default of Deployments, in seconds.
	progressDeadline = 600
)

// pullTime compares the sizes of images for Windows with the deadline of their pods.
func (c *check) pullTime(p *subject) {
	if p.target.OS() != platform.WindowsOS {
		return
	}
	path, deadline, ok := p.deadline()
	if !ok {
		return
	}
	size := p.pullSize()
	seconds := (size + pulled - 1) / pulled
	if seconds <= deadline {
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

// deadline is the strictest one that counts while the images are pulled, in seconds.
func (p *subject) deadline() (path string, seconds int64, ok bool) {
	take := func(at string, v any, otherwise int64) {
		given, known := tree.Int(v)
		switch _, secret := v.(tree.Secret); {
		case secret:
			return // it is not shown
		case v == nil && otherwise > 0:
			given, known = otherwise, true
		}
		if known && given > 0 && (!ok || given < seconds) {
			path, seconds, ok = at, given, true
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

// pullSize is what the smallest variants of the images have above their lowest layer, each image
// once: the kubelet pulls one after the other.
func (p *subject) pullSize() int64 {
	var total int64
	seen := map[*platform.Facts]bool{}
	for _, image := range p.target.Images {
		if image.Facts == nil || seen[image.Facts] {
			continue
		}
		seen[image.Facts] = true
		smallest := int64(-1)
		for _, v := range image.Facts.Of(platform.WindowsOS) {
			if !v.Read() {
				continue
			}
			if above := v.Size() - v.Layers[0]; smallest < 0 || above < smallest {
				smallest = above
			}
		}
		total += max(0, smallest)
	}
	return total
}
