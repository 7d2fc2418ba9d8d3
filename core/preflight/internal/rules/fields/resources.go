package fields

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var resourceRules = []engine.Rule{hugePagesOnWindows, memoryLimitMissing, fractionOfByte, diskTooLarge}

var (
	podsWithResources = &engine.Scope[*subject.Pods]{
		Name: "requests and limits of containers",
		Has:  func(p *subject.Pods) bool { return len(p.Quantities()) > 0 },
	}
	windowsPodsWithResources = &engine.Scope[*subject.Pods]{
		Within: podsWithResources, Name: "requests and limits of Windows containers", Has: subject.WindowsPods.Has,
	}
)

const noHugePages = "Windows has no huge pages for containers"

var hugePagesOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK501", Severity: rule.Error, Title: "huge pages on Windows", Page: rulepages.Resources,
		Reason: "Windows nodes have no huge pages: a pod that requests them fits no node, and a volume of huge pages " +
			"cannot be mounted.",
		Fix:    "remove it",
		Source: sources.WindowsFields,
	},
	Checks: []engine.Check{
		engine.On(windowsPodsWithResources, func(p *subject.Pods) []rule.Problem {
			var found []rule.Problem
			for _, q := range p.Quantities() {
				if strings.HasPrefix(q.Name, corev1.ResourceHugePagesPrefix) && isPositive(q.Value) {
					found = append(found, rule.Problem{
						Path: p.In(q.Container, "resources", q.List, pods.Key(q.Name)), Value: q.Value,
						Detail: noHugePages,
					})
				}
			}
			return found
		}),
		engine.On(subject.WindowsEmptyDirs, func(p *subject.Pods) []rule.Problem {
			var found []rule.Problem
			for i, volume := range tree.List(p.Spec["volumes"]) {
				v := tree.Map(tree.Map(volume)["emptyDir"])["medium"]
				if medium, _ := tree.Text(v); strings.HasPrefix(medium, string(corev1.StorageMediumHugePages)) {
					found = append(found, rule.Problem{
						Path: p.Path("volumes", i, "emptyDir", "medium"), Value: v, Detail: noHugePages,
					})
				}
			}
			return found
		}),
	},
}

// isPositive returns false for an unknown quantity.
func isPositive(v any) bool {
	text, ok := pods.Quantity(v)
	if !ok {
		return false
	}
	q, err := tree.ParseQuantity(text)
	return err == nil && q.Sign() > 0
}

var diskTooLarge = engine.Rule{
	Rule: rule.Rule{
		ID: "MK536", Severity: rule.Warning, Title: "more ephemeral storage than a Windows container has",
		Page: rulepages.Resources,
		Reason: "Drive C: of a Windows container has 20 GB, whatever the value of ephemeral-storage: the CRI has a " +
			"field for its size, but the kubelet does not set it. Volumes such as an emptyDir are not part of the " +
			"drive, although the content of an emptyDir counts toward the limit: a container that mounts one is not " +
			"reported.",
		Fix: "mount a volume for the data, and request what else is written",
		Source: "https://github.com/kubernetes/kubernetes/pull/109702; https://learn.microsoft.com/virtualization/" +
			"windowscontainers/manage-containers/container-storage#storage-limits",
	},
	Checks: []engine.Check{engine.On(windowsPodsWithResources, largeDisks)},
}

// diskOfContainer is the size of drive C: of a Windows container.
var diskOfContainer = resource.MustParse("20Gi")

// largeDisks compares ephemeral storage with the amount that a container can write. Host-process containers write to
// the disk of the node.
func largeDisks(p *subject.Pods) []rule.Problem {
	if p.HostProcess() || p.HostProcessUnknown() {
		return nil
	}
	var found []rule.Problem
	for _, q := range p.Quantities() {
		text, ok := pods.Quantity(q.Value)
		if q.Name != string(corev1.ResourceEphemeralStorage) || !ok || mountsEmptyDir(p, q.Container) {
			continue
		}
		if size, err := tree.ParseQuantity(text); err != nil || size.Cmp(diskOfContainer) <= 0 {
			continue
		}
		found = append(found, rule.Problem{
			Path: p.In(q.Container, "resources", q.List, q.Name), Value: q.Value,
			Detail: "is more than the 20 GB that a Windows container can write",
		})
	}
	return found
}

// mountsEmptyDir reports whether a container may mount an emptyDir.
func mountsEmptyDir(p *subject.Pods, ctr *pods.Container) bool {
	if tree.IsUnknown(ctr.Spec["volumeMounts"]) || tree.IsUnknown(p.Spec["volumes"]) {
		return true
	}
	for _, m := range tree.List(ctr.Spec["volumeMounts"]) {
		mounted, known := tree.Text(tree.Map(m)["name"])
		if !known {
			return true
		}
		for _, v := range tree.List(p.Spec["volumes"]) {
			volume := tree.Map(v)
			if name, _ := tree.Text(volume["name"]); name == mounted && volume["emptyDir"] != nil {
				return true
			}
		}
	}
	return false
}

var fractionOfByte = engine.Rule{
	Rule: rule.Rule{
		ID: "MK518", Severity: rule.Warning, Title: "a fraction of a byte", Page: rulepages.Resources,
		Reason: "The suffix m means thousandths: 800m of memory is less than a byte. In most cases, Mi was intended.",
		Fix:    "use a whole number of bytes",
		Source: "pkg/api/pod/warnings.go of Kubernetes 1.36.3",
	},
	Checks: []engine.Check{engine.On(podsWithResources, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, q := range p.Quantities() {
			if !slices.Contains(bytesResources[:], q.Name) || !isFraction(q.Value) {
				continue
			}
			problem := rule.Problem{
				Path: p.In(q.Container, "resources", q.List, q.Name), Value: q.Value, Detail: "is a fraction of a byte",
			}
			if number, ok := q.Value.(string); ok && strings.HasSuffix(number, "m") {
				problem.Fix = "did you mean " + strings.TrimSuffix(number, "m") + "Mi?"
			}
			found = append(found, problem)
		}
		return found
	})},
}

// bytesResources are counted in whole bytes.
var bytesResources = [...]string{string(corev1.ResourceMemory), string(corev1.ResourceEphemeralStorage)}

// isFraction reports whether a quantity is not a whole number.
func isFraction(v any) bool {
	switch value := tree.Reveal(v).(type) {
	case string:
		// Whole numbers of bytes end in a digit, or in the suffix of a multiple.
		if last := len(value) - 1; last < 1 || value[last] != 'm' && value[last] != 'u' && value[last] != 'n' {
			return false
		}
		q, err := tree.ParseQuantity(value)
		return err == nil && q.MilliValue()%1000 != 0
	case float64:
		return true
	default:
		return false
	}
}

var memoryLimitMissing = engine.Rule{
	Rule: rule.Rule{
		ID: "MK514", Severity: rule.Info, Title: "a workload on Windows without a memory limit",
		Page: rulepages.Resources,
		Reason: "Windows has no out-of-memory killer: if memory runs out it pages to disk, which slows down all pods " +
			"of the node, and the node can become unhealthy. Kubernetes therefore recommends memory limits. The rule " +
			"checks the containers of workloads that run until they are deleted: Deployments, ReplicaSets, " +
			"StatefulSets, DaemonSets and ReplicationControllers, but not Jobs, Pods and init containers. A limit " +
			"without a request is also the request, so the scheduler counts it; a LimitRange of the namespace may " +
			"set both. Host-process containers are not checked either: their memory is reserved together with the " +
			"system's, at least 2 GiB on each node.",
		Fix:    "set a memory limit",
		Source: sources.WindowsResources + "#resource-reservation",
	},
	Checks: []engine.Check{engine.On(subject.WindowsPods, unlimitedMemory)},
}

// unlimitedMemory finds containers that can use the memory of the whole node. Memory of host-process containers is
// reserved with the system's. Init containers have ended when the others run, unless they are sidecars.
func unlimitedMemory(p *subject.Pods) []rule.Problem {
	if !p.RunsForGood() || p.HostProcess() || p.HostProcessUnknown() ||
		pods.IsSet(p.Spec, "resources") {
		return nil
	}
	var found []rule.Problem
	for i := range p.Containers {
		ctr := &p.Containers[i]
		policy, _ := tree.Text(ctr.Spec["restartPolicy"])
		if ctr.List != "containers" && policy != string(corev1.ContainerRestartPolicyAlways) {
			continue
		}
		resources := ctr.Spec["resources"]
		limits := tree.Map(resources)["limits"]
		if tree.IsUnknown(resources) || tree.IsUnknown(limits) ||
			pods.IsSet(tree.Map(limits), string(corev1.ResourceMemory)) {
			continue
		}
		found = append(found, rule.Problem{
			Path:   p.In(ctr, "resources", "limits", string(corev1.ResourceMemory)),
			Detail: "nothing limits the memory that this container takes from its node",
		})
	}
	return found
}
