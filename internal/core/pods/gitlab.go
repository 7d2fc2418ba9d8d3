package pods

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// buildPod is GitLab's term for the pod of a job. It is used instead of the kind of the object, which is a ConfigMap.
const buildPod = "build pod"

// runnerConfigs are the keys of a ConfigMap for the configuration of GitLab Runner. Its Helm chart uses
// the second key, for the value runners.config.
var runnerConfigs = []string{"config.toml", "config.template.toml"}

// OfRunnerConfig reports whether the pods come from a configuration of GitLab Runner, which is text.
func (p *Pods) OfRunnerConfig() bool { return p.Kind == buildPod }

// readBuildPods reads the pods that the Kubernetes executor of GitLab Runner creates for a job without
// its own settings: KubernetesConfig in
// https://gitlab.com/gitlab-org/gitlab-runner/-/blob/main/common/config.go. It does not read security
// contexts, which cannot enable host-process containers. It leaves out runners whose pods a patch may
// change, and a secret configuration.
func readBuildPods(object map[string]any) []*Pods {
	if object["kind"] != "ConfigMap" || object["apiVersion"] != "v1" {
		return nil
	}
	var all []*Pods
	for _, key := range runnerConfigs {
		text, _ := tree.Map(object["data"])[key].(string)
		var config map[string]any
		if _, err := toml.Decode(text, &config); err != nil {
			continue // GitLab Runner reports it
		}
		for i, v := range tree.List(tree.Normalize(config["runners"])) {
			runner := tree.Map(v)
			executor := runner["executor"] // not set in a template: the command that registers it sets it
			settings := tree.Map(runner["kubernetes"])
			if settings == nil || executor != nil && executor != "kubernetes" || IsSet(settings, "pod_spec") {
				continue
			}
			all = append(all, ofRunner(object, settings, "data"+Join(Key(key), "runners", i, "kubernetes")))
		}
	}
	return all
}

// ofRunner returns the pods for the settings of an executor at a path.
func ofRunner(object, settings map[string]any, at string) *Pods {
	p := &Pods{Object: object, Kind: buildPod, Spec: map[string]any{}}
	p.at = func(parts []any) string {
		if len(parts) == 0 {
			return at
		}
		field, _ := parts[0].(string)
		if field == "tolerations" {
			return at + "." + settingOf[field] // a table, not a list
		}
		return at + "." + cmp.Or(settingOf[field], field) + Join(parts[1:]...)
	}
	for field, setting := range settingOf {
		v := settings[setting]
		switch {
		case v == nil:
		case field == "tolerations":
			p.Spec[field] = tolerationsOf(tree.Map(v))
		case field == "affinity":
			p.Spec[field] = tree.Unknown{} // its fields have other names
		default:
			p.Spec[field] = v
		}
	}
	p.addContainer("build", settings["image"], at, "image")
	if IsSet(settings, "helper_image") {
		p.addContainer("helper", settings["helper_image"], at, "helper_image")
	}
	for i, v := range tree.List(settings["services"]) {
		name := "svc-" + strconv.Itoa(i)
		p.addContainer(name, tree.Map(v)["name"], at+Join("services", i), "name")
	}
	return p
}

// settingOf has the setting for a field of a pod's spec.
var settingOf = map[string]string{
	"nodeSelector": "node_selector", "tolerations": "node_tolerations", "affinity": "affinity",
	fieldClass: "runtime_class_name",
}

// addContainer adds a container with its image. The image is unknown if it is not set, because the job
// sets it then, and if it contains variables, which belong to the job.
func (p *Pods) addContainer(name string, image any, at, setting string) {
	if text, ok := image.(string); !ok || text == "" || strings.Contains(text, "$") {
		image = tree.Unknown{}
	}
	c := newContainer("containers", len(p.Containers), map[string]any{
		"name": name, "image": image, "resources": tree.Unknown{},
	})
	c.at, c.imageAt = at, at+"."+setting
	p.Containers = append(p.Containers, c)
}

// tolerationsOf returns the tolerations in a table of "key=value" = "Effect", or "key" = "Effect" for any value:
// GetNodeTolerations of KubernetesConfig.
func tolerationsOf(table map[string]any) []any {
	all := make([]any, 0, len(table))
	for _, taint := range slices.Sorted(maps.Keys(table)) {
		key, value, equal := strings.Cut(taint, "=")
		t := map[string]any{"key": key, "operator": "Exists", "effect": table[taint]}
		if equal {
			t["operator"], t["value"] = "Equal", value
		}
		all = append(all, t)
	}
	return all
}
