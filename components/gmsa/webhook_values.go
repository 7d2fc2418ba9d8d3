package gmsa

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// decision is a value of the chart that the component decides on
// (https://github.com/kubernetes-sigs/windows-gmsa/blob/master/charts/gmsa/values.yaml).
type decision struct {
	path []string
	// value is nil if it is not known before the resources are created, or must not be given.
	value any
	// why states which argument decides, and the fix.
	why string
}

// decisions returns the values that follow from the other arguments.
func (a WebhookArgs) decisions() []decision {
	const remove = ": remove it"
	certificate := a.Certificate.isSet()
	all := []decision{
		{
			[]string{"certificates", "certManager", "enabled"},
			!certificate,
			"depends only on whether certificate is set" + remove,
		},
		// The certificates of cert-manager last for 90 days.
		{[]string{"certificates", "certReload", "enabled"}, true, "must be true, so that the webhook reads a " +
			"renewed certificate" + remove},
		{
			[]string{"nodeSelector", k8score.LabelOSStable},
			nil,
			"the chart selects Linux nodes itself, and its YAML cannot have the key twice" + remove,
		},
	}
	if certificate {
		for _, key := range []string{"caBundle", "secretName"} {
			all = append(all, decision{[]string{"certificates", key}, nil, "certificate sets this value" + remove})
		}
	}
	if a.Replicas > 0 {
		all = append(all, decision{
			[]string{"replicaCount"}, int64(a.Replicas), "the argument replicas sets this value: remove one of the two",
		})
	}
	if repository, tag, ok := splitImage(a.Image); ok {
		const why = "the argument image sets this value: remove one of the two"
		all = append(all, decision{[]string{"image", "repository"}, repository, why},
			decision{[]string{"image", "tag"}, tag, why})
	}
	if a.RandomHostname {
		all = append(all, decision{[]string{"randomHostname"}, true, "randomHostname is set: remove one of the two"})
	}
	return all
}

// contradiction returns the value of a plain tree that contradicts a decision, nil if there is
// none. Unknown values do not contradict.
func (d decision) contradiction(values any) *field.Error {
	path := field.NewPath("values")
	for _, key := range d.path {
		if values == nil || tree.IsUnknown(values) {
			return nil
		}
		if tree.Map(values) == nil {
			return field.TypeInvalid(path, values, "must be a map, as values.yaml of the chart has it")
		}
		values = tree.At(values, key)
		if strings.Contains(key, ".") {
			path = path.Key(key)
		} else {
			path = path.Child(key)
		}
	}
	if values == nil || tree.IsUnknown(values) || d.value != nil && tree.Reveal(values) == d.value {
		return nil
	}
	return field.Invalid(path, values, d.why)
}

// checkValues returns the errors in a plain tree of values.
func (a WebhookArgs) checkValues(values any) field.ErrorList {
	var errs field.ErrorList
	for _, d := range a.decisions() {
		if err := d.contradiction(values); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// values returns the values of the chart: the input, with the values that the component decides
// on. An output is compared with the latter when it is known.
func (a WebhookArgs) values(subject string) (pulumi.MapInput, error) {
	values := a.Values
	var edits []mutate.Edit
	for _, d := range a.decisions() {
		var err error
		values, err = input.Watch(values, d.path, func(_ []string, known any) error {
			err := d.contradiction(tree.With(nil, d.path, known))
			if err == nil {
				return nil
			}
			return fielderrors.Join(subject, field.ErrorList{err})
		})
		if err != nil {
			return nil, fmt.Errorf("%s: values: %w", subject, err)
		}
		if d.value != nil {
			edits = append(edits, mutate.Edit{Path: d.path, Value: d.value})
		}
	}
	if tolerations := a.tolerations(); len(tolerations) > 0 {
		edits = append(edits, mutate.Edit{Path: []string{"tolerations"}, Value: tolerations})
	}
	values, err := input.Edit(values, edits)
	if err != nil {
		return nil, fmt.Errorf("%s: values: %w", subject, err)
	}
	return values, nil
}

// tolerations returns the tolerations of Linux pods, in the form of chart values.
func (a WebhookArgs) tolerations() []any {
	var all []any
	for _, t := range a.Topology.WithDefaults().Tolerations(platform.Linux) {
		one := map[string]any{"operator": string(t.Operator), "effect": string(t.Effect), "key": t.Key}
		if t.Value != "" {
			one["value"] = t.Value
		}
		all = append(all, one)
	}
	return all
}
