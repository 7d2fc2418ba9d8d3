package workload

import (
	"cmp"
	"slices"

	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/input"
)

// completeTolerations appends the tolerations that are needed and not there
// yet. One that is an output in a list is not looked into: the needed one may
// stand twice then, which does no harm.
func (c completion) completeTolerations(in pulumicorev1.TolerationArrayInput) pulumicorev1.TolerationArrayInput {
	if len(c.tolerations) == 0 {
		return in
	}
	if input.Missing(in) {
		return input.Tolerations(c.tolerations)
	}
	if have, ok := input.Plain[pulumicorev1.TolerationArray](in); ok {
		var known []corev1.Toleration
		for _, h := range have {
			if args, ok := input.Plain[pulumicorev1.TolerationArgs](h); ok {
				if t, ok := plainToleration(args); ok {
					known = append(known, t)
				}
			}
		}
		return slices.Concat(have, input.Tolerations(c.notIn(known)))
	}
	return in.ToTolerationArrayOutput().ApplyT(func(have []pulumicorev1.Toleration) []pulumicorev1.Toleration {
		var known []corev1.Toleration
		for _, h := range have {
			if h.TolerationSeconds == nil {
				known = append(known, corev1.Toleration{
					Key: deref(h.Key), Operator: corev1.TolerationOperator(deref(h.Operator)),
					Value: deref(h.Value), Effect: corev1.TaintEffect(deref(h.Effect)),
				})
			}
		}
		out := slices.Clone(have)
		for _, t := range c.notIn(known) {
			out = append(out, pulumicorev1.Toleration{
				Key: nilIfEmpty(t.Key), Operator: nilIfEmpty(string(t.Operator)),
				Value: nilIfEmpty(t.Value), Effect: nilIfEmpty(string(t.Effect)),
			})
		}
		return out
	}).(pulumicorev1.TolerationArrayOutput)
}

// notIn returns the needed tolerations that are not among those.
func (c completion) notIn(have []corev1.Toleration) []corev1.Toleration {
	return slices.DeleteFunc(slices.Clone(c.tolerations), func(needed corev1.Toleration) bool {
		return slices.ContainsFunc(have, func(h corev1.Toleration) bool {
			h.Operator = cmp.Or(h.Operator, corev1.TolerationOpEqual)
			return h.MatchToleration(&needed)
		})
	})
}

// plainToleration is false for one that is not known yet, and for one that
// tolerates for some time only.
func plainToleration(args pulumicorev1.TolerationArgs) (corev1.Toleration, bool) {
	known := input.Missing(args.TolerationSeconds)
	text := func(in pulumi.StringPtrInput) string {
		s, ok := input.Plain[string](in)
		known = known && (ok || input.Missing(in))
		return s
	}
	t := corev1.Toleration{
		Key: text(args.Key), Operator: corev1.TolerationOperator(text(args.Operator)),
		Value: text(args.Value), Effect: corev1.TaintEffect(text(args.Effect)),
	}
	return t, known
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
