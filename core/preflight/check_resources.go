package preflight

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// bytesResources are counted in whole bytes.
var bytesResources = [...]string{string(corev1.ResourceMemory), string(corev1.ResourceEphemeralStorage)}

// runForGood are the kinds of workloads whose pods run until they are deleted.
var runForGood = []string{"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController"}

var hugePagesOnWindows = rule.Rule{
	ID: "MK501", Severity: rule.Error, Title: "huge pages on Windows",
	Reason: "Windows nodes have no huge pages: a pod that requests them fits no node, and a volume of huge pages " +
		"cannot be mounted.",
	Source: windowsFields,
}

// resources checks the requests and limits of containers.
func (c *check) resources(p *judged) {
	onWindows := p.target.OS() == platform.WindowsOS
	for i := range p.Containers {
		ctr := &p.Containers[i]
		resources := tree.Map(ctr.Spec["resources"])
		if resources == nil {
			continue
		}
		for _, list := range [...]string{"limits", "requests"} {
			quantities := tree.Map(resources[list])
			for _, name := range bytesResources {
				c.fraction(p, ctr, list, name, quantities[name])
			}
			if !onWindows || len(quantities) == 0 {
				continue
			}
			c.disk(p, ctr, list, quantities[string(corev1.ResourceEphemeralStorage)])
			for name, v := range quantities {
				if strings.HasPrefix(name, corev1.ResourceHugePagesPrefix) && isPositive(v) {
					c.report(hugePagesOnWindows, rule.Problem{
						Path: p.In(ctr, "resources", list, pods.Key(name)), Value: v,
						Detail: "Windows has no huge pages for containers", Fix: "remove it",
					})
				}
			}
		}
	}
	if onWindows {
		c.memoryLimits(p)
	}
}

var diskTooLarge = rule.Rule{
	ID: "MK536", Severity: rule.Warning, Title: "more ephemeral storage than a Windows container has",
	Reason: "Drive C: of a Windows container has 20 GB, whatever the value of ephemeral-storage: the CRI has a field " +
		"for its size, but the kubelet does not set it. Volumes such as an emptyDir are not part of the drive, " +
		"although the content of an emptyDir counts toward the limit: a container that mounts one is not reported.",
	Source: "https://github.com/kubernetes/kubernetes/pull/109702; https://learn.microsoft.com/virtualization/" +
		"windowscontainers/manage-containers/container-storage#storage-limits",
}

// diskOfContainer is the size of drive C: of a Windows container.
var diskOfContainer = resource.MustParse("20Gi")

// disk compares ephemeral storage with the amount that a container can write. Host-process containers write to the disk
// of the node.
func (c *check) disk(p *judged, ctr *pods.Container, list string, v any) {
	text, ok := pods.Quantity(v)
	if !ok || p.HostProcess() || p.HostProcessUnknown() || p.mountsEmptyDir(ctr) {
		return
	}
	if q, err := tree.ParseQuantity(text); err != nil || q.Cmp(diskOfContainer) <= 0 {
		return
	}
	c.report(diskTooLarge, rule.Problem{
		Path: p.In(ctr, "resources", list, string(corev1.ResourceEphemeralStorage)), Value: v,
		Detail: "is more than the 20 GB that a Windows container can write",
		Fix:    "mount a volume for the data, and request what else is written",
	})
}

// mountsEmptyDir reports whether a container may mount an emptyDir.
func (p *judged) mountsEmptyDir(ctr *pods.Container) bool {
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

var fractionOfByte = rule.Rule{
	ID: "MK518", Severity: rule.Warning, Title: "a fraction of a byte",
	Reason: "The suffix m means thousandths: 800m of memory is less than a byte. In most cases, Mi was intended.",
	Source: "pkg/api/pod/warnings.go of Kubernetes 1.36.3",
}

func (c *check) fraction(p *judged, ctr *pods.Container, list, name string, v any) {
	switch value := tree.Reveal(v).(type) {
	case string:
		// Whole numbers of bytes end in a digit, or in the suffix of a multiple.
		if last := len(value) - 1; last < 1 || value[last] != 'm' && value[last] != 'u' && value[last] != 'n' {
			return
		}
		if q, err := tree.ParseQuantity(value); err != nil || q.MilliValue()%1000 == 0 {
			return
		}
	case float64:
	default:
		return
	}
	fix := "use a whole number of bytes"
	if text, ok := v.(string); ok && strings.HasSuffix(text, "m") {
		fix = "did you mean " + strings.TrimSuffix(text, "m") + "Mi?"
	}
	c.report(fractionOfByte,
		rule.Problem{Path: p.In(ctr, "resources", list, name), Value: v, Detail: "is a fraction of a byte", Fix: fix})
}

var memoryLimitMissing = rule.Rule{
	ID: "MK514", Severity: rule.Info, Title: "a workload on Windows without a memory limit",
	Reason: "Windows has no out-of-memory killer: if memory runs out it pages to disk, which slows down all pods of " +
		"the node, and the node can become unhealthy. Kubernetes therefore recommends memory limits. The rule checks " +
		"the containers of workloads that run until they are deleted: Deployments, ReplicaSets, StatefulSets, " +
		"DaemonSets and ReplicationControllers, but not Jobs, Pods and init containers. A limit without a request is " +
		"also the request, so the scheduler counts it; a LimitRange of the namespace may set both. Host-process " +
		"containers are not checked either: their memory is reserved together with the system's, at least 2 GiB on " +
		"each node.",
	Source: windowsResources + "#resource-reservation",
}

// memoryLimits reports containers that can use the memory of the whole node. Memory of host-process containers is
// reserved with the system's. Init containers have ended when the others run, unless they are sidecars.
func (c *check) memoryLimits(p *judged) {
	if !slices.Contains(runForGood, p.Kind) || p.HostProcess() || p.HostProcessUnknown() ||
		pods.IsSet(p.Spec, "resources") {
		return
	}
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
		c.report(memoryLimitMissing, rule.Problem{
			Path:   p.In(ctr, "resources", "limits", string(corev1.ResourceMemory)),
			Detail: "nothing limits the memory that this container takes from its node", Fix: "set a memory limit",
		})
	}
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
