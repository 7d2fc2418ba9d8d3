package doors

import (
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// statement is a claim of a workload: a field that states what its pods are for.
type statement struct {
	path    string
	os      platform.OS
	release platform.Platform
	// nodes is true if the release is that of nodes, which may run images of another one.
	nodes bool
}

func (s statement) contradicts(p platform.Platform, matching platform.Matching) bool {
	if s.os != p.OS() || s.release == "" || s.release == p {
		return s.os != p.OS()
	}
	image := platform.Image{OS: p.OS(), Release: p}
	return !s.nodes || platform.CanRun(s.release, image, matching) != platform.Yes
}

// statements returns the claims of a workload. It reads them without the code under test.
func (b *batch) statements(i *item) []statement {
	p := i.pods.Pods
	var all []statement
	add := func(path string, value any) {
		if os := platform.OS(text(value)); os == platform.LinuxOS || os == platform.WindowsOS {
			all = append(all, statement{path: p.Prefix + path, os: os})
		}
	}
	add("spec.os.name", tree.At(p.Spec, "os", "name"))
	selector := tree.Map(p.Spec["nodeSelector"])
	add("spec.nodeSelector[kubernetes.io/os]", selector[corev1.LabelOSStable])
	add("spec.nodeSelector[beta.kubernetes.io/os]", selector["beta.kubernetes.io/os"])
	for _, release := range topology.PoolPlatforms() {
		if !release.IsWindows() {
			continue
		}
		// A build with a mark is mixedkube's, and follows the platform.
		mark := text(tree.At(i.pods.Tree, "metadata", "annotations", "mixedkube.dev/placed"))
		marked := strings.Contains(mark, topology.LabelWindowsBuild)
		if selector[topology.LabelWindowsBuild] == release.Build() && !marked {
			path := p.Prefix + "spec.nodeSelector[" + topology.LabelWindowsBuild + "]"
			all = append(all, statement{path, platform.WindowsOS, release, true})
		}
		if p.Spec["runtimeClassName"] == string(release) && slices.Contains(b.topology.Platforms(), release) {
			all = append(all, statement{p.Prefix + "spec.runtimeClassName", platform.WindowsOS, release, false})
		}
	}
	for _, pool := range b.topology.Pools {
		if selector["agentpool"] == pool.Name {
			s := statement{path: p.Prefix + "spec.nodeSelector[agentpool]", os: pool.Platform.OS(), nodes: true}
			if pool.Platform.IsWindows() {
				s.release = pool.Platform
			}
			all = append(all, s)
		}
	}
	required := tree.At(p.Spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
	if terms := tree.List(tree.At(required, "nodeSelectorTerms")); len(terms) == 1 {
		for _, e := range tree.List(tree.Map(terms[0])["matchExpressions"]) {
			e, values := tree.Map(e), tree.List(tree.Map(e)["values"])
			if e["key"] == corev1.LabelOSStable && e["operator"] == "In" && len(values) == 1 {
				add("spec.affinity.nodeAffinity", values[0])
			}
		}
	}
	return all
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// contradict registers each workload by typed arguments with a platform of the topology that contradicts its claims:
// the error must name each claim that does.
func (b *batch) contradict(t *testing.T, total counts) {
	t.Helper()
	graph, err := mocktest.Run(func(ctx *pulumi.Context) error {
		for _, i := range b.items {
			all := b.statements(i)
			if i.typed == nil || len(all) == 0 {
				continue
			}
			platforms := b.topology.WithDefaults().Platforms()
			at := slices.IndexFunc(platforms, func(p platform.Platform) bool {
				return slices.ContainsFunc(all, func(s statement) bool { return s.contradicts(p, b.topology.Matching) })
			})
			if at < 0 {
				continue // the cluster has one platform
			}
			c, p := comparison{t, b, i}, platforms[at]
			err := i.typed.register(ctx, i.name, p, workload.BySelector, b.topology)
			if err == nil {
				c.differ(byTyped, "is not refused for %s, although it has the claims %v", p, all)
				continue
			}
			total["refused contradictions"]++
			for _, s := range all {
				if s.contradicts(p, b.topology.Matching) && !strings.Contains(err.Error(), s.path) {
					c.differ(byTyped, "the refusal for %s does not name %s: %v", p, s.path, err)
				}
			}
		}
		return nil
	}, mocktest.Preview())
	if err != nil {
		t.Fatalf("%s: %v", b.name, err)
	}
	if left := graph.Resources(); len(left) > 0 {
		t.Errorf("%s: %d resources are registered, such as %s", b.name, len(left), left[0])
	}
}
