package hostprocess

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// checkPlatforms returns the mistakes in the platforms and the topology, and the platforms without one.
func checkPlatforms(platforms []platform.Platform, t topology.Topology) ([]platform.Platform, field.ErrorList) {
	var errs field.ErrorList
	if t.IsSet() {
		errs = t.Validate(field.NewPath("topology"))
	}
	var valid []platform.Platform
	for i, p := range platforms {
		at := field.NewPath("platforms").Index(i)
		wrong := topology.ValidatePlatform(p, at)
		switch {
		case len(wrong) > 0:
			errs = append(errs, wrong...)
		case !p.IsWindows():
			errs = append(errs, field.Invalid(at, string(p),
				"host process is for Windows nodes: use a release of Windows Server"))
		case slices.Contains(valid, p):
			errs = append(errs, field.Duplicate(at, string(p)))
		default:
			errs = append(errs, refusal.WithoutPool(t, p, at)...)
			valid = append(valid, p)
		}
	}
	return valid, errs
}

// examination finds what the pods of a DaemonSet lack on the nodes of the platforms, and what contradicts it.
type examination struct {
	object *pods.Object
	// options are the fields that make the pods host-process pods.
	options   []mutate.Want
	platforms []platform.Platform
	checker   *preflight.Checker
}

// examination begins the examination of an object, for valid platforms. An empty user is the one that the pods name.
func (a DaemonSetArgs) examination(object *pods.Object, user string, platforms []platform.Platform) examination {
	x := examination{object: object, platforms: platforms, options: []mutate.Want{
		{Path: []string{"hostNetwork"}, Value: true}, {Path: hostProcessOption, Value: true},
	}}
	if user != "" {
		x.options = append(x.options, mutate.Want{Path: userOption, Value: user, AnyCase: true})
	}
	options := preflight.Options{Topology: a.Topology, OS: platform.WindowsOS}
	if len(platforms) == 1 {
		options.Platform = platforms[0]
	}
	x.checker = preflight.New(options)
	return x
}

// examined is the result of an examination.
type examined struct {
	edits     []mutate.Edit
	completed *pods.Object
	// contradicted are the values that contradict host process or the platforms, and errs those that no rule is about.
	contradicted []fielderrors.At
	errs         field.ErrorList
	// refused are the other errors about the completed object.
	refused []fielderrors.At
}

func (x examination) examine(ctx *pulumi.Context) examined {
	edits, conflicts := mutate.Require(x.object.Pods, x.options)
	conflicts = slices.Concat(conflicts, x.ofNodes(), x.ofContainers())
	complete := func(conflicts []mutate.Conflict) *pods.Object {
		return pods.ReadObject(mutate.Apply(mutate.Fix(x.object.Pods, x.object.Tree, conflicts), edits))
	}
	decision := mutate.Decide(complete(conflicts), x.checker.Context(),
		mutate.Policy{Explicit: true, EachNode: true, Platforms: x.platforms})
	edits = append(edits, decision.Edits...)
	out := examined{edits: edits, completed: complete(conflicts), errs: x.affinity()}
	out.refused = refusal.Of(ctx, x.checker, out.completed)
	for i, c := range conflicts {
		others := slices.Delete(slices.Clone(conflicts), i, i+1)
		if broken := refusal.OfValue(x.checker, complete(others), c.Path); len(broken) > 0 && !tree.IsUnknown(c.Have) {
			out.contradicted = append(out.contradicted, broken...)
		} else {
			out.errs = append(out.errs, contradiction(c))
		}
	}
	return out
}

// ofNodes returns the fields that select other nodes.
func (x examination) ofNodes() []mutate.Conflict {
	wants := []mutate.Want{{Path: []string{"os", "name"}, Value: string(platform.WindowsOS)}}
	selector := topology.SelectEach(x.platforms...).Selector
	for _, label := range slices.Sorted(maps.Keys(selector)) {
		wants = append(wants, mutate.Want{Path: []string{"nodeSelector", label}, Value: selector[label]})
	}
	_, conflicts := mutate.Require(x.object.Pods, wants)
	return conflicts
}

// ofContainers returns the containers of other kinds than host-process.
func (x examination) ofContainers() (conflicts []mutate.Conflict) {
	of := x.object.Pods
	for i := range of.Containers {
		ctr := &of.Containers[i]
		if on, known := tree.Bool(ctr.Windows["hostProcess"]); known && !on {
			conflicts = append(conflicts, mutate.Conflict{
				Want: mutate.Want{
					Path:  append([]string{ctr.List, strconv.Itoa(ctr.Index)}, hostProcessOption...),
					Value: true,
				},
				Path: of.In(ctr, "securityContext", "windowsOptions", "hostProcess"), Have: on,
			})
		}
	}
	return conflicts
}

// affinity refuses an affinity where the nodes need one.
func (x examination) affinity() field.ErrorList {
	affinity := x.object.Pods.Spec["affinity"]
	if len(x.platforms) < 2 || !tree.IsUnknown(affinity) && tree.At(affinity, "nodeAffinity") == nil {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath(x.object.Pods.Path("affinity", "nodeAffinity")),
		"the component sets it to select the nodes of several platforms: use a nodeSelector for more, or leave "+
			"platforms out")}
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

// contradiction is about a field that is to have another value, if no rule is about it.
func contradiction(c mutate.Conflict) *field.Error {
	path := field.NewPath(c.Path)
	detail := fmt.Sprintf("is always %v for host-process containers: remove it", c.Want.Value)
	if !tree.IsUnknown(c.Have) {
		return field.Invalid(path, c.Have, detail)
	}
	if want, is := plainTypes[c.Path[strings.LastIndexByte(c.Path, '.')+1:]]; is {
		detail = "write it as " + want + ", with outputs in its fields, so that it can be completed for host process"
	}
	return field.TypeInvalid(path, "an output", detail)
}

// checkLabel is for names that are labels as well.
func checkLabel(name string, path *field.Path) field.ErrorList {
	if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
		return field.ErrorList{field.Invalid(path, name, strings.Join(problems, "; ")+": use such a name")}
	}
	return nil
}
