package images

import (
	"fmt"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var pullRules = []engine.Rule{pullLongerThanDeadline, slowPull}

var pullLongerThanDeadline = engine.Rule{
	Rule: rule.Rule{
		ID: "MK220", Severity: rule.Warning, Title: "Windows images that are too large for a deadline",
		Page: rulepages.Registries,
		Reason: "Deadlines of Deployments, Jobs and Pods include the time to pull images: a Deployment is reported " +
			"as failed, and pods of Jobs and Pods are killed. The rule assumes 30 MiB per second for the compressed " +
			"layers above the lowest one, which nodes often have already. This is twice the speed that is reported " +
			"for Windows nodes. Startup probes start after the pull. The rule checks images in the lock file.",
		Source: "https://github.com/Azure/AKS/issues/4269, 18 GiB in 20 minutes; " +
			"https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#progress-deadline-seconds; " +
			"https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup",
	},
	Checks: []engine.Check{engine.On(lockedWindowsImages, func(p *subject.Pods) []rule.Problem {
		all := pullOf(p)
		path, deadline, ok := deadlineOf(p)
		if all.size == 0 || !ok || all.seconds <= deadline {
			return nil
		}
		return []rule.Problem{{
			Path: path,
			Detail: fmt.Sprintf("is %d seconds, and pulling the images takes about %s at 30 MiB a second: they have "+
				"%.1f GiB above their base", deadline, all.duration(), all.gibibytes()),
			Fix: fmt.Sprintf("set it to more than %d, make the images smaller, or pull them onto the nodes before",
				all.seconds),
		}}
	})},
}

// slowPull ignores DaemonSets: a DaemonSet that pulls the image for other pods is the remedy. Pods with a shorter
// deadline are for pullLongerThanDeadline.
var slowPull = engine.Rule{
	Rule: rule.Rule{
		ID: "MK221", Severity: rule.Info, Title: "Windows images that new nodes take minutes to pull",
		Page: rulepages.Registries,
		Reason: "Each node that an upgrade, a scale-up or a repair adds has to pull the images before pods of a " +
			"Deployment or StatefulSet start there. By the measure of MK220 this takes more than 5 minutes, while " +
			"drained pods have ended already. Anything else with a timeout for the start of a pod may fail too. The " +
			"rule checks images in the lock file.",
		Fix: "make the images smaller, or pull them with a DaemonSet onto a spare node",
		Source: "https://github.com/Azure/AKS/issues/1293; https://github.com/Azure/AKS/issues/1532; " +
			"https://github.com/projectcalico/calico/issues/12862",
	},
	Checks: []engine.Check{engine.On(lockedWindowsImages, func(p *subject.Pods) []rule.Problem {
		if p.Kind != "Deployment" && p.Kind != "StatefulSet" {
			return nil
		}
		all := pullOf(p)
		if _, deadline, ok := deadlineOf(p); all.seconds <= slow || ok && all.seconds > deadline {
			return nil
		}
		return []rule.Problem{problem(p, all.largest, fmt.Sprintf("the images have %.1f GiB above their base, and "+
			"each new node pulls them for about %s at 30 MiB a second before the pods start",
			all.gibibytes(), all.duration()))}
	})},
}

const (
	// slow is how many seconds a pull may take before it is reported, without any deadline.
	slow = 300
	// pulled is how many bytes per second a Windows node is assumed to pull and unpack.
	pulled = 30 << 20
	// progressDeadline is the default of Deployments, in seconds.
	progressDeadline = 600
)

// deadlineOf returns the shortest deadline of pods that runs while images are pulled, in seconds.
func deadlineOf(p *subject.Pods) (path string, seconds int64, ok bool) {
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

// pull is what a node pulls before pods start.
type pull struct {
	// size is the size of the image layers above the lowest ones, for the smallest variants, 0 if it is not known.
	size int64
	// seconds is how long it takes.
	seconds int64
	// largest is the index of the container with the largest image.
	largest int
}

func (p pull) gibibytes() float64 { return float64(p.size) / (1 << 30) }

func (p pull) duration() time.Duration { return time.Duration(p.seconds) * time.Second }

// pullOf counts each image once, because the kubelet pulls one image after the other.
func pullOf(p *subject.Pods) pull {
	var all pull
	var most int64
	seen := map[*platform.Facts]bool{}
	for i, image := range p.Target.Images {
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
			most, all.largest = smallest, i
		}
		all.size += max(0, smallest)
	}
	all.seconds = (all.size + pulled - 1) / pulled
	return all
}
