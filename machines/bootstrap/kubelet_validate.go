package bootstrap

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// validate finds what is wrong with the options of the kubelets of a pool, which has its
// defaults. Most of it would keep the kubelet from starting.
func (o KubeletOptions) validate(path *field.Path, p topology.Pool) field.ErrorList {
	system, kube := path.Child("systemReserved"), path.Child("kubeReserved")
	errs := append(validateReserved(o.SystemReserved, system, p), validateReserved(o.KubeReserved, kube, p)...)
	if memory, ok := quantity(o.SystemReserved["memory"]); ok && p.Platform.IsWindows() &&
		memory.CmpInt64(leastWindowsMemory) < 0 {
		errs = append(errs, field.Invalid(system.Key("memory"), o.SystemReserved["memory"],
			"Windows needs 2Gi for itself, and kills nothing when memory runs out: reserve at least 2Gi"))
	}
	errs = append(errs, validateEviction(o.EvictionHard, path.Child("evictionHard"), p)...)
	errs = append(errs, validateEviction(o.EvictionSoft, path.Child("evictionSoft"), p)...)
	errs = append(errs, validateGracePeriods(o, path.Child("evictionSoftGracePeriod"))...)
	errs = append(errs, validatePriorityClass(o.PriorityClass, path.Child("priorityClass"), p)...)
	errs = append(errs, o.validateProtection(path, p)...)
	if len(errs) == 0 {
		errs = o.validateTotal(path, p)
	}
	return errs
}

// validateProtection is about what keeps a kubelet and its pods apart from others.
func (o KubeletOptions) validateProtection(path *field.Path, p topology.Pool) field.ErrorList {
	var errs field.ErrorList
	versions := []string{tls12, tls13}
	if v := o.TLSMinVersion; v != "" && !slices.Contains(versions, v) {
		errs = append(errs, field.Invalid(path.Child("tlsMinVersion"), v,
			fielderrors.Unknown("version of TLS", v, versions)))
	}
	for _, option := range []struct {
		name string
		set  bool
	}{{"disableSeccompDefault", o.DisableSeccompDefault}, {"protectKernelDefaults", o.ProtectKernelDefaults}} {
		if option.set && p.Platform.IsWindows() {
			errs = append(errs, field.Forbidden(path.Child(option.name), "has no equivalent on Windows: remove it"))
		}
	}
	return errs
}

func validateReserved(reserved map[string]string, path *field.Path, p topology.Pool) field.ErrorList {
	// cmd/kubelet/app/server.go, parseResourceList. Windows has no limit of processes.
	resources := []string{"cpu", "memory", "ephemeral-storage", "pid"}
	if p.Platform.IsWindows() {
		resources = resources[:3]
	}
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(reserved)) {
		if !slices.Contains(resources, name) {
			errs = append(errs, field.Invalid(path, name, fielderrors.Unknown("resource", name, resources)))
			continue
		}
		if q, ok := quantity(reserved[name]); !ok || q.Sign() < 0 {
			errs = append(errs, field.Invalid(path.Key(name), reserved[name],
				"must be a quantity that is not negative, 500m or 2Gi for example"))
		}
	}
	return errs
}

func validateEviction(eviction map[string]string, path *field.Path, p topology.Pool) field.ErrorList {
	signals := evictionSignals(p)
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(eviction)) {
		switch {
		case !slices.Contains(signals, name):
			errs = append(errs, field.Invalid(path, name,
				fielderrors.Unknown("signal on "+string(p.Platform.OS()), name, signals)))
		case !isThreshold(eviction[name]):
			errs = append(errs, field.Invalid(path.Key(name), eviction[name],
				"must be a share from 0% (never) to less than 100%, or a quantity above 0: 10% or 500Mi for example"))
		}
	}
	return errs
}

// validateGracePeriods follows pkg/kubelet/eviction/helpers.go, parseGracePeriods and
// parseThresholdStatements: the kubelet does not start if one is missing.
func validateGracePeriods(o KubeletOptions, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(o.EvictionSoft)) {
		if o.EvictionSoftGracePeriod[name] == "" {
			errs = append(errs, field.Required(path.Key(name),
				"set how long the signal must last, 1m30s for example"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.EvictionSoftGracePeriod)) {
		period := o.EvictionSoftGracePeriod[name]
		if _, used := o.EvictionSoft[name]; !used {
			errs = append(errs, field.Invalid(path, name,
				"evictionSoft does not have this signal: add it there, or remove it here"))
		} else if d, err := time.ParseDuration(period); period != "" && (err != nil || d < 0) {
			errs = append(errs, field.Invalid(path.Key(name), period,
				"must be a duration that is not negative, 1m30s for example"))
		}
	}
	return errs
}

// isThreshold follows the kubelet's parseThresholdStatement, but refuses 100%: the
// kubelet reads it as never.
func isThreshold(s string) bool {
	if number, ok := strings.CutSuffix(s, "%"); ok {
		share, err := strconv.ParseFloat(number, 64)
		return err == nil && share >= 0 && share < 100
	}
	q, ok := quantity(s)
	return ok && q.Sign() > 0
}

func validatePriorityClass(class string, path *field.Path, p topology.Pool) field.ErrorList {
	// cmd/kubelet/app/init_windows.go.
	classes := []string{
		"IDLE_PRIORITY_CLASS", "BELOW_NORMAL_PRIORITY_CLASS", "NORMAL_PRIORITY_CLASS",
		"ABOVE_NORMAL_PRIORITY_CLASS", "HIGH_PRIORITY_CLASS", "REALTIME_PRIORITY_CLASS",
	}
	switch {
	case class == "":
		return nil
	case !p.Platform.IsWindows():
		return field.ErrorList{field.Forbidden(path, "only processes on Windows have one: remove it")}
	case !slices.Contains(classes, class):
		return field.ErrorList{field.Invalid(path, class, fielderrors.Unknown("priority class", class, classes))}
	default:
		return nil
	}
}

// validateTotal makes sure that something is left for pods, where the size of the nodes
// is known.
func (o KubeletOptions) validateTotal(path *field.Path, p topology.Pool) field.ErrorList {
	capacity, known := p.Capacity()
	if !known {
		return nil
	}
	var errs field.ErrorList
	reserved := o.Reserved(p)
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if total, available := reserved[name], capacity[name]; total.Cmp(available) >= 0 {
			errs = append(errs, field.Invalid(path, total.String(), fmt.Sprintf(
				"leaves no %s for pods: with the defaults, this is reserved of the %s of a %s: reserve less, or use "+
					"a larger size", name, available.String(), p.Size)))
		}
	}
	return errs
}

func quantity(s string) (resource.Quantity, bool) {
	q, err := tree.ParseQuantity(s)
	return q, err == nil
}
