package preflight

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// handlerHypervisor is containerd's handler for Hyper-V isolation.
const handlerHypervisor = "runhcs-wcow-hypervisor"

// placeholders are the handlers in the examples of Kubernetes' documentation.
var placeholders = []string{"example-container-runtime-handler", "myconfiguration"}

// linuxHandlers are the handler names that the documentation of Linux runtimes uses.
var linuxHandlers = []string{
	"crun", "gvisor", "kata", "kata-clh", "kata-fc", "kata-qemu", "nvidia", "runc", "runsc",
	"youki",
}

// isNearHandler reports whether a handler is a misspelled Windows handler.
func isNearHandler(handler string) bool {
	_, near := fielderrors.Nearest(handler, []string{pods.HandlerProcess, handlerHypervisor})
	return near
}

// runtimeClass checks a RuntimeClass.
func (c *check) runtimeClass() {
	scheduling := tree.Map(c.object["scheduling"])
	selector := tree.Map(scheduling["nodeSelector"])
	os, _ := tree.Text(selector[corev1.LabelOSStable])
	c.handler(platform.OS(os))
	c.classSelector(selector)
	c.classOf2019(selector)
	c.classTolerations(tree.List(scheduling["tolerations"]))
	c.overhead(tree.Map(tree.Map(c.object["overhead"])["podFixed"]))
}

var (
	handlerMalformed = rule.Rule{
		ID: "MK404", Severity: rule.Error, Title: "the handler of a RuntimeClass is missing or malformed",
		Reason: "The handler is the name of a runtime in the configuration of the nodes' containerd: " +
			"runhcs-wcow-process for Windows. It must be a DNS label, and it is immutable: to use another handler, " +
			"create a new class.",
		Source: nodeValidation + ", ValidateRuntimeClass",
	}
	handlerForHyperV = rule.Rule{
		ID: "MK405", Severity: rule.Warning, Title: "a RuntimeClass for Hyper-V isolation",
		Reason: "The handler runhcs-wcow-hypervisor starts each pod in its own virtual machine. Kubernetes documents " +
			"Hyper-V isolation as unsupported; containerd 1.7 and later supports it on nodes that can run virtual " +
			"machines.",
		Source: "https://kubernetes.io/docs/concepts/windows/intro/, https://github.com/microsoft/hcsshim",
	}
	handlerUnknown = rule.Rule{
		ID: "MK414", Severity: rule.Warning, Title: "a handler that containerd does not have",
		Reason: "The handler docker belonged to dockershim, which Kubernetes 1.24 removed; only cri-dockerd still " +
			"has it. Other handlers are placeholders in documentation, or the names of runtimes for the other " +
			"operating system (runc, crun, kata, runsc on Linux, runhcs-wcow-process on Windows). A pod of the class " +
			"stays in ContainerCreating: its node has no runtime with that name.",
		Source: "https://kubernetes.io/docs/concepts/containers/runtime-class/#cri-configuration; " +
			"https://github.com/Mirantis/cri-dockerd",
	}
)

// handler checks the handler of a class. os is the operating system of the nodes that the class selects, if any.
func (c *check) handler(os platform.OS) {
	v := c.object["handler"]
	if v == nil {
		v = ""
	}
	handler, known := tree.Text(v)
	fix := "write the handler of the nodes' containerd, runhcs-wcow-process for Windows"
	if os == platform.LinuxOS {
		fix = "write the handler of the nodes' containerd, runc if it is the default"
	}
	switch {
	case !known:
	case handler == "" && (c.minor == 0 || c.minor >= 36):
		// Otherwise the API server would call it malformed.
		c.report(handlerMalformed, rule.Problem{Path: "handler", Type: field.ErrorTypeRequired, Value: v, Fix: fix})
	case os == platform.WindowsOS && slices.Contains(linuxHandlers, handler):
		c.report(handlerUnknown,
			rule.Problem{
				Path: "handler", Value: v,
				Detail: "is the handler of a Linux runtime, and the class selects Windows nodes", Fix: fix,
			})
	case os == platform.LinuxOS && strings.HasPrefix(handler, "runhcs-"):
		c.report(handlerUnknown, rule.Problem{
			Path: "handler", Value: v, Detail: "is a handler of Windows nodes, and the class selects Linux nodes",
			Fix: fix,
		})
	case handler == handlerHypervisor:
		c.report(handlerForHyperV, rule.Problem{
			Path: "handler", Value: v,
			Detail: "Hyper-V isolation, which Kubernetes documents as unsupported on Windows",
			Fix:    "use runhcs-wcow-process, unless the nodes have containerd 1.7 or later and Hyper-V",
		})
	case handler == "docker":
		c.report(handlerUnknown,
			rule.Problem{
				Path: "handler", Value: v,
				Detail: "is a handler of dockershim and cri-dockerd, and containerd has none of that name", Fix: fix,
			})
	case slices.Contains(placeholders, handler):
		c.report(handlerUnknown,
			rule.Problem{Path: "handler", Value: v, Detail: "is a placeholder of the documentation", Fix: fix})
	default:
		wrong := validation.IsDNS1123Label(handler)
		for _, detail := range wrong {
			c.report(handlerMalformed,
				rule.Problem{Path: "handler", Type: field.ErrorTypeInvalid, Value: v, Detail: detail, Fix: fix})
		}
		if len(wrong) == 0 && os == platform.WindowsOS && handler != pods.HandlerProcess && isNearHandler(handler) {
			c.report(handlerUnknown,
				rule.Problem{
					Path: "handler", Value: v, Detail: "is not a handler that containerd has on Windows",
					Fix: "did you mean " + pods.HandlerProcess + "?",
				})
		}
	}
}

var classSelectorMalformed = rule.Rule{
	ID: "MK410", Severity: rule.Error, Title: "a malformed label in the node selector of a RuntimeClass",
	Reason: "The node selector is merged into the node selector of each pod of the class, so it must consist of " +
		"valid node labels.",
	Source: nodeValidation + ", validateScheduling",
}

// classSelector checks the labels that the class adds to the node selector of its pods.
func (c *check) classSelector(selector map[string]any) {
	invalid := func(value any, detail string) {
		c.report(classSelectorMalformed, rule.Problem{
			Path: "scheduling.nodeSelector", Type: field.ErrorTypeInvalid, Value: value, Detail: detail,
			Fix: "write a label that nodes can have, or remove it",
		})
	}
	for _, label := range slices.Sorted(maps.Keys(selector)) {
		for _, detail := range validation.IsQualifiedName(label) {
			invalid(label, detail)
		}
		if value, ok := tree.Text(selector[label]); ok {
			for _, detail := range validation.IsValidLabelValue(value) {
				invalid(selector[label], detail)
			}
		}
	}
}

// tolerationFields identify a toleration.
var tolerationFields = [...]string{"key", "operator", "value", "effect"}

var classTolerationMalformed = rule.Rule{
	ID: "MK411", Severity: rule.Error, Title: "a malformed or repeated toleration in a RuntimeClass",
	Reason: "The tolerations are merged into those of each pod of the class. Unlike a pod, a class must not contain " +
		"duplicates, and cannot compare numbers with Lt and Gt.",
	Source: nodeValidation + ", validateTolerations",
}

// classTolerations checks the tolerations that the class adds to those of its pods.
func (c *check) classTolerations(tolerations []any) {
	seen := map[[len(tolerationFields)]string]bool{}
	for i, v := range tolerations {
		toleration := tree.Map(v)
		if toleration == nil {
			continue
		}
		path := "scheduling.tolerations[" + strconv.Itoa(i) + "]"
		var texts [len(tolerationFields)]string
		complete := true
		for j, name := range tolerationFields {
			text, known := tree.Text(toleration[name])
			texts[j] = text
			complete = complete && (known || toleration[name] == nil)
		}
		if !complete {
			continue
		}
		c.classToleration(toleration, path)
		if seen[texts] {
			c.report(classTolerationMalformed,
				rule.Problem{Path: path, Type: field.ErrorTypeDuplicate, Value: toleration, Fix: "remove it"})
		}
		seen[texts] = true
	}
}

// classToleration checks a toleration without unknown values.
func (c *check) classToleration(toleration map[string]any, path string) {
	text := func(name string) string { s, _ := tree.Text(toleration[name]); return s }
	refuse := func(at, of string, typ field.ErrorType, detail, fix string) {
		value := toleration[of]
		if value == nil {
			value = ""
		}
		c.report(classTolerationMalformed,
			rule.Problem{Path: path + "." + at, Type: typ, Value: value, Detail: detail, Fix: fix})
	}
	invalid := func(at, of, detail, fix string) { refuse(at, of, field.ErrorTypeInvalid, detail, fix) }

	key, operator, value, effect := text("key"), text("operator"), text("value"), text("effect")
	if key != "" {
		for _, detail := range validation.IsQualifiedName(key) {
			invalid("key", "key", detail, "write the key of the nodes' taint")
		}
	} else if operator != string(corev1.TolerationOpExists) {
		invalid("operator", "operator",
			`operator must be Exists when `+"`key`"+` is empty, which means "match all values and all keys"`,
			"write the key of the nodes' taint")
	}
	if pods.IsSet(toleration, "tolerationSeconds") && effect != string(corev1.TaintEffectNoExecute) {
		invalid("effect", "effect", "effect must be 'NoExecute' when `tolerationSeconds` is set",
			"remove tolerationSeconds, or write NoExecute")
	}
	switch corev1.TolerationOperator(operator) {
	case corev1.TolerationOpEqual, "":
		if errs := validation.IsValidLabelValue(value); len(errs) > 0 {
			invalid("operator", "value", strings.Join(errs, ";"), "write the value of the nodes' taint")
		}
	case corev1.TolerationOpExists:
		if value != "" {
			invalid("operator", "value", "value must be empty when `operator` is 'Exists'",
				"remove the value, or write Equal")
		}
	default:
		refuse("operator", "operator", field.ErrorTypeNotSupported, c.tolerationOperators(operator),
			"write Equal or Exists")
	}
	switch corev1.TaintEffect(effect) {
	case "", corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
	default:
		refuse("effect", "effect", field.ErrorTypeNotSupported,
			`supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
			"write NoSchedule, the effect of most taints")
	}
}

// tolerationOperators returns the API server's message about an operator that it does not support in a class. Since
// 1.35 the API server lists Lt and Gt, and still refuses them.
func (c *check) tolerationOperators(operator string) string {
	const detail = `supported values: "Equal", "Exists"`
	if (operator == "Lt" || operator == "Gt") && (c.minor == 0 || c.minor >= 35) {
		return detail + `, "Lt", "Gt"`
	}
	return detail
}

var (
	classOverheadUnknown = rule.Rule{
		ID: "MK412", Severity: rule.Error,
		Title: "the overhead of a RuntimeClass names an invalid resource",
		Reason: "The overhead is added to the requests of the containers: cpu, memory, ephemeral-storage, huge " +
			"pages, or an extended resource with a domain prefix.",
		Source: nodeValidation + ", validateOverhead",
	}
	classOverheadImpossible = rule.Rule{
		ID: "MK413", Severity: rule.Error, Title: "the overhead of a RuntimeClass is an impossible amount",
		Reason: "An amount must not be negative, and extended resources are whole numbers.",
		Source: nodeValidation + ", validateOverhead",
	}
)

// overhead checks the resources that each pod of the class uses in addition to its containers.
func (c *check) overhead(amounts map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		path := "overhead.podFixed[" + name + "]"
		for _, detail := range resourceName(name) {
			c.report(classOverheadUnknown,
				rule.Problem{
					Path: path, Type: field.ErrorTypeInvalid, Value: name, Detail: detail,
					Fix: "write cpu, memory or ephemeral-storage",
				})
		}
		amount, ok := amountOf(amounts[name])
		if !ok {
			continue
		}
		if amount.Sign() < 0 {
			c.report(classOverheadImpossible, rule.Problem{
				Path: path, Type: field.ErrorTypeInvalid, Value: amounts[name],
				Detail: "must be greater than or equal to 0", Fix: "write what a pod takes in addition, or remove it",
			})
		}
		if isExtendedResource(name) && amount.MilliValue()%1000 != 0 {
			c.report(classOverheadImpossible,
				rule.Problem{
					Path: path, Type: field.ErrorTypeInvalid, Value: amounts[name],
					Detail: "must be an integer", Fix: "write a whole number",
				})
		}
	}
}

// resourceName returns what is wrong with the name of a container's resource.
func resourceName(name string) []string {
	details := validation.IsQualifiedName(name)
	switch {
	case strings.Contains(name, "/"):
		if len(details) == 0 && !strings.Contains(name, corev1.ResourceDefaultNamespacePrefix) &&
			!isExtendedResource(name) {
			details = append(details, "doesn't follow extended resource name standard")
		}
	case name == string(corev1.ResourceCPU), name == string(corev1.ResourceMemory),
		name == string(corev1.ResourceEphemeralStorage):
	case strings.HasPrefix(name, corev1.ResourceHugePagesPrefix):
	default:
		details = append(details, "must be a standard resource for containers")
	}
	return details
}

// isExtendedResource reports whether a resource is not a resource of Kubernetes itself, such as example.com/licenses.
// Quotas, whose names begin with requests., are not extended resources.
func isExtendedResource(name string) bool {
	return strings.Contains(name, "/") && !strings.Contains(name, corev1.ResourceDefaultNamespacePrefix) &&
		!strings.HasPrefix(name, corev1.DefaultResourceRequestsPrefix) &&
		len(validation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+name)) == 0
}

// amountOf returns an amount of a resource, written as a string or a number. It returns false if the amount is unknown
// or invalid.
func amountOf(v any) (resource.Quantity, bool) {
	text, ok := tree.Text(v)
	if number, isNumber := tree.Int(v); isNumber {
		text, ok = strconv.FormatInt(number, 10), true
	}
	if !ok {
		return resource.Quantity{}, false
	}
	q, err := tree.ParseQuantity(text)
	return q, err == nil
}

// classOf2019 reports the build of Windows Server 2019. For pods, the findings for their images report it.
func (c *check) classOf2019(selector map[string]any) {
	v := selector[labelBuild]
	text, _ := tree.Text(v)
	if text != platform.WindowsServer2019.Build() || !c.namesNo2019() {
		return
	}
	c.report(windows2019Outdated, rule.Problem{
		Path: "scheduling.nodeSelector" + pods.Join(pods.Key(labelBuild)), Value: v,
		Detail: "is the build of Windows Server 2019, which Kubernetes 1.36 no longer names for nodes",
		Fix:    "add another class for 10.0.20348, Windows Server 2022",
	})
}
