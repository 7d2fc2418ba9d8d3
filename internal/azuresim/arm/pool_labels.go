package arm

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

var taintFormat = regexp.MustCompile(
	`^[a-zA-Z\d][\w\-./]{0,252}=[a-zA-Z\d][\w\-.]{0,62}:(NoSchedule|PreferNoSchedule|NoExecute)$`,
)

func checkTaints(p poolUnderTest) error {
	for _, text := range p.pool.NodeTaints {
		taint := value(text)
		if !taintFormat.MatchString(taint) {
			return p.invalid("nodeTaints",
				"the taint '%s' is not of the form key=value:Effect with the effect NoSchedule, PreferNoSchedule or "+
					"NoExecute", taint)
		}
		if strings.HasPrefix(taint, spotLabel+"=") && (!p.spot() || taint != spotTaint) {
			return p.invalid("nodeTaints", "the taint '%s' is reserved for spot nodes", taint)
		}
		harmless := taint == "CriticalAddonsOnly=true:NoSchedule" || strings.HasSuffix(taint, ":PreferNoSchedule")
		if p.system() && !harmless {
			return p.refused("SystemPoolHasRestrictedTaint", "nodeTaints", "Placing custom taints on system pool is "+
				"not supported(except 'CriticalAddonsOnly' taint or taint effect is 'PreferNoSchedule'). Please refer "+
				"to https://aka.ms/aks/system-taints for detail")
		}
	}
	return nil
}

func checkLabels(p poolUnderTest) error {
	for _, key := range slices.Sorted(maps.Keys(p.pool.NodeLabels)) {
		text := value(p.pool.NodeLabels[key])
		// Azure shows this one, so requests send it back.
		if key == spotLabel && text == "spot" && p.spot() {
			continue
		}
		if err := checkLabelNamespace(key, text); err != nil {
			return err
		}
		if problems := append(validation.IsQualifiedName(key),
			validation.IsValidLabelValue(text)...); len(problems) > 0 {
			return p.invalid("nodeLabels", "the label '%s=%s' is not valid: %s", key, text,
				strings.TrimSuffix(problems[0], "."))
		}
	}
	return nil
}

// checkLabelNamespace refuses the namespaces of Azure and of Kubernetes, with the answers that AKS gives
// (ams0/aks-nvme-ssd-provisioner#5, Azure/AKS#4613). Since then it accepts roles (Azure/AKS#4628).
func checkLabelNamespace(key, text string) error {
	namespace, _, _ := strings.Cut(key, "/")
	inside := func(domain string) bool { return namespace == domain || strings.HasSuffix(namespace, "."+domain) }
	switch {
	case namespace == key || inside("kubelet.kubernetes.io") || inside("node.kubernetes.io") ||
		namespace == "node-role.kubernetes.io":
		return nil
	case namespace == "kubernetes.azure.com":
		return refused("BadRequest", "", "Invalid node label key %s. The 'kubernetes.azure.com' prefix is preserved "+
			"by aks system labels", key)
	case inside("kubernetes.io") || inside("k8s.io"):
		return refused("BadRequest", key+"="+text, "For Kubernetes version greater than or equal to 1.16, node label "+
			"keys in the 'kubernetes.io' or 'k8s.io' namespace must begin with an allowed prefix "+
			"(kubelet.kubernetes.io, node.kubernetes.io). For more information, please check "+
			"https://aka.ms/aks-node-labels-116.")
	default:
		return nil
	}
}
