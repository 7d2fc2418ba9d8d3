package hostprocess

import (
	"fmt"
	"slices"
	"strings"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/input"
)

// placement is on which nodes pods run.
type placement struct {
	// selector are the labels of the nodes.
	selector map[string]string
	// builds are the Windows builds of the nodes, where a selector cannot say them: more
	// than one, and not all.
	builds []string
	// only is the platform where there is one only.
	only        platform.Platform
	tolerations []k8score.Toleration
}

// place finds the nodes of some platforms, or of all that are Windows.
func place(platforms []platform.Platform, t topology.Topology) (placement, field.ErrorList) {
	var errs field.ErrorList
	given := t.Given()
	t = t.WithDefaults()
	if given {
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
			errs = append(errs, field.Invalid(at, string(p), "host process is for Windows nodes: use a release of Windows Server"))
		case seen[p]:
			errs = append(errs, field.Duplicate(at, string(p)))
		case given && len(t.PoolsOf(p)) == 0:
			errs = append(errs, field.Invalid(at, string(p), fmt.Sprintf("no pool of the topology runs it, only %s: add a pool, or use one of these", joinPlatforms(t.Platforms()))))
		default:
			where.builds = append(where.builds, p.Build())
		}
		seen[p] = true
	}
	if len(platforms) == 1 && len(where.builds) == 1 {
		where.only, where.builds = platforms[0], nil
		where.selector = topology.NodeSelector(where.only)
	}
	if !given {
		where.tolerations = []k8score.Toleration{topology.Tolerate(topology.WindowsTaint())}
		return where, errs
	}
	// What sets some pools apart keeps workloads off, and not what the nodes themselves need.
	for _, pool := range t.Pools {
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

func joinPlatforms(platforms []platform.Platform) string {
	names := make([]string, len(platforms))
	for i, p := range platforms {
		names[i] = p.String()
	}
	return strings.Join(names, ", ")
}

// nodeSelector is the caller's with what is needed. That must be plain, or left out.
func (p placement) nodeSelector(in pulumi.StringMapInput, path *field.Path) (pulumi.StringMapInput, field.ErrorList) {
	merged := pulumi.ToStringMap(p.selector)
	if input.Missing(in) {
		return merged, nil
	}
	have, plain := input.Plain[pulumi.StringMap](in)
	if !plain {
		return in, field.ErrorList{notPlain(path, "pulumi.StringMap")}
	}
	var errs field.ErrorList
	for key, value := range have {
		want, needed := p.selector[key]
		known, ok := input.Plain[string](value)
		switch {
		case input.Missing(value):
			// As if it were left out.
		case !needed:
			merged[key] = value
		case !ok:
			errs = append(errs, decided(path.Key(key), want))
		case known != want:
			errs = append(errs, field.Invalid(path.Key(key), known, fmt.Sprintf("the pods need %q: remove it, or change the platforms", want)))
		}
	}
	return merged, errs
}

// affinity is for the nodes of several platforms: a selector has one value for each label.
func (p placement) affinity(in corev1.AffinityPtrInput, path *field.Path) (corev1.AffinityPtrInput, field.ErrorList) {
	if len(p.builds) == 0 {
		return in, nil
	}
	affinity, plain := input.Plain[corev1.AffinityArgs](in)
	if !input.Missing(in) && (!plain || !input.Missing(affinity.NodeAffinity)) {
		return in, field.ErrorList{field.Forbidden(path.Child("nodeAffinity"), "the component sets it to select the nodes of several platforms: use a nodeSelector for more, or leave platforms out")}
	}
	affinity.NodeAffinity = corev1.NodeAffinityArgs{RequiredDuringSchedulingIgnoredDuringExecution: corev1.NodeSelectorArgs{
		NodeSelectorTerms: corev1.NodeSelectorTermArray{corev1.NodeSelectorTermArgs{
			MatchExpressions: corev1.NodeSelectorRequirementArray{corev1.NodeSelectorRequirementArgs{
				Key:      pulumi.String(topology.LabelWindowsBuild),
				Operator: pulumi.String(string(k8score.NodeSelectorOpIn)),
				Values:   pulumi.ToStringArray(p.builds),
			}},
		}},
	}}
	return affinity, nil
}

// withTolerations adds those that are needed. One that is there already stands twice,
// which does no harm.
func (p placement) withTolerations(in corev1.TolerationArrayInput) corev1.TolerationArrayInput {
	needed := input.Tolerations(p.tolerations)
	if in == nil && len(needed) == 0 {
		return nil
	}
	if have, ok := input.Plain[corev1.TolerationArray](in); ok || in == nil {
		return slices.Concat(have, needed)
	}
	return pulumi.All(in, needed).ApplyT(func(all []any) []corev1.Toleration {
		have, _ := all[0].([]corev1.Toleration)
		needed, _ := all[1].([]corev1.Toleration)
		return slices.Concat(have, needed)
	}).(corev1.TolerationArrayOutput)
}

// checkLabel is for names that are labels as well.
func checkLabel(name string, path *field.Path) field.ErrorList {
	if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
		return field.ErrorList{field.Invalid(path, name, strings.Join(problems, "; ")+": use such a name")}
	}
	return nil
}
