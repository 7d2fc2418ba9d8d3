package hostprocess

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	k8score "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// placement is on which nodes pods run.
type placement struct {
	// selector are the labels of the nodes.
	selector map[string]string
	// builds are the Windows builds of the nodes, where a selector cannot say them: more
	// than one, and not all.
	builds []string
	// only is the platform if there is only one.
	only        platform.Platform
	tolerations []k8score.Toleration
}

// place finds the nodes of some platforms, or of all that are Windows.
func place(platforms []platform.Platform, t topology.Topology) (placement, field.ErrorList) {
	var errs field.ErrorList
	declared := t.IsSet()
	if declared {
		errs = t.Validate(field.NewPath("topology"))
	}
	where := placement{selector: map[string]string{
		k8score.LabelOSStable:   string(platform.WindowsOS),
		k8score.LabelArchStable: amd64,
	}}
	seen := map[platform.Platform]bool{}
	for i, p := range platforms {
		at := field.NewPath("platforms").Index(i)
		wrong := topology.ValidatePlatform(p, at)
		switch {
		case len(wrong) > 0:
			errs = append(errs, wrong...)
		case !p.IsWindows():
			errs = append(errs, field.Invalid(at, string(p),
				"host process is for Windows nodes: use a release of Windows Server"))
		case seen[p]:
			errs = append(errs, field.Duplicate(at, string(p)))
		default:
			errs = append(errs, refusal.WithoutPool(t, p, at)...)
			where.builds = append(where.builds, p.Build())
		}
		seen[p] = true
	}
	if len(platforms) == 1 && len(where.builds) == 1 {
		where.only, where.builds = platforms[0], nil
		where.selector = topology.NodeSelector(where.only)
	}
	if !declared {
		where.tolerations = []k8score.Toleration{topology.Tolerate(topology.WindowsTaint())}
		return where, errs
	}
	// Taints that set some pools apart keep workloads off, but not the agents of the nodes.
	for _, pool := range t.WithDefaults().Pools {
		if !pool.Platform.IsWindows() || len(platforms) > 0 && !seen[pool.Platform] {
			continue
		}
		for _, taint := range pool.Taints {
			toleration := topology.Tolerate(taint)
			if taint.Effect != k8score.TaintEffectPreferNoSchedule && !slices.Contains(where.tolerations, toleration) {
				where.tolerations = append(where.tolerations, toleration)
			}
		}
	}
	return where, errs
}

// lacks returns the edits that turn pods into host-process pods of the nodes, and the fields that have
// something else. An empty user is the one that the pods name.
func (p placement) lacks(of *pods.Pods, user string) ([]mutate.Edit, []mutate.Conflict) {
	wants := []mutate.Want{
		{Path: []string{"os", "name"}, Value: string(platform.WindowsOS)},
		{Path: []string{"hostNetwork"}, Value: true},
		{Path: hostProcessOption, Value: true},
	}
	for _, label := range slices.Sorted(maps.Keys(p.selector)) {
		wants = append(wants, mutate.Want{Path: []string{"nodeSelector", label}, Value: p.selector[label]})
	}
	if user != "" {
		wants = append(wants, mutate.Want{Path: userOption, Value: user, AnyCase: true})
	}
	edits, conflicts := mutate.Require(of, wants)
	for i := range of.Containers {
		ctr := &of.Containers[i]
		if on, known := tree.Bool(ctr.Windows["hostProcess"]); known && !on {
			want := mutate.Want{
				Path:  append([]string{ctr.List, strconv.Itoa(ctr.Index)}, hostProcessOption...),
				Value: true,
			}
			at := of.In(ctr, "securityContext", "windowsOptions", "hostProcess")
			conflicts = append(conflicts, mutate.Conflict{Want: want, Path: at, Have: on})
		}
	}
	edits = append(edits, mutate.Tolerate(of, p.tolerations)...)
	if len(p.builds) > 0 {
		edits = append(edits, mutate.Edit{Path: append(of.SpecPath(), "affinity", "nodeAffinity"), Value: p.ofBuilds()})
	}
	return edits, conflicts
}

// contradictions are what the pods say that host process, or the platforms, do not allow.
func contradictions(of *pods.Pods, conflicts []mutate.Conflict, where placement) field.ErrorList {
	var errs field.ErrorList
	for _, c := range conflicts {
		errs = append(errs, contradiction(c))
	}
	affinity := of.Spec["affinity"]
	if len(where.builds) > 0 && (tree.IsUnknown(affinity) || tree.At(affinity, "nodeAffinity") != nil) {
		errs = append(errs, field.Forbidden(field.NewPath(of.Path("affinity", "nodeAffinity")),
			"the component sets it to select the nodes of several platforms: use a nodeSelector for more, or leave "+
				"platforms out"))
	}
	return errs
}

// ofBuilds selects the nodes of several platforms: a node selector has one value for each label.
func (p placement) ofBuilds() map[string]any {
	term := map[string]any{"matchExpressions": []any{mutate.OfBuilds(p.builds)}}
	return map[string]any{
		"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": []any{term}},
	}
}

var (
	hostProcessOption = []string{"securityContext", "windowsOptions", "hostProcess"}
	userOption        = []string{"securityContext", "windowsOptions", "runAsUserName"}
)

// plainTypes are the types that parents of decided fields must have. os is not among them: it
// has only a name.
var plainTypes = map[string]string{
	"nodeSelector":    "pulumi.StringMap",
	"securityContext": "corev1.PodSecurityContextArgs", "windowsOptions": "corev1.WindowsSecurityContextOptionsArgs",
}

// contradiction is about a field that is to have another value.
func contradiction(c mutate.Conflict) *field.Error {
	path := field.NewPath(c.Path)
	if tree.IsUnknown(c.Have) {
		above := c.Path[strings.LastIndexByte(c.Path, '.')+1:]
		if want, isAbove := plainTypes[above]; isAbove {
			return field.TypeInvalid(path, "an output",
				"write it as "+want+", with outputs in its fields, so that it can be completed for host process")
		}
		return field.TypeInvalid(path, "an output",
			fmt.Sprintf("is always %v for host-process containers: remove it", c.Want.Value))
	}
	return field.Invalid(path, c.Have, whyNot(c.Want))
}

func whyNot(want mutate.Want) string {
	switch want.Path[len(want.Path)-1] {
	case "name":
		return "host-process containers are those of Windows: remove it"
	case "hostNetwork":
		return "host-process containers share the node's network: remove it"
	case "hostProcess":
		return "all containers of these pods are host-process containers: remove it, or use package workload"
	case "runAsUserName":
		return fmt.Sprintf("contradicts the user %q: remove one of the two", want.Value)
	default: // a label
		return fmt.Sprintf("the pods need %q: remove it, or change the platforms", want.Value)
	}
}

// checkLabel is for names that are labels as well.
func checkLabel(name string, path *field.Path) field.ErrorList {
	if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
		return field.ErrorList{field.Invalid(path, name, strings.Join(problems, "; ")+": use such a name")}
	}
	return nil
}
