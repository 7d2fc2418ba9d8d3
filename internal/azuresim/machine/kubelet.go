package machine

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Kubelet is what a machine tells its kubelet, as far as the node shows it
// (https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/).
type Kubelet struct {
	// SystemReserved and KubeReserved are kept from pods, and so is what EvictionHard
	// wants to be free.
	SystemReserved map[string]string `json:"systemReserved,omitempty"`
	KubeReserved   map[string]string `json:"kubeReserved,omitempty"`
	EvictionHard   map[string]string `json:"evictionHard,omitempty"`
	// MaxPods is 0 for the kubelet's default.
	MaxPods int `json:"maxPods,omitempty"`
}

var kubeletLine = regexp.MustCompile(`(?m)^apiVersion:[ \t]*["']?kubelet\.config\.k8s\.io/`)

// kubelet reads the configurations of the kubelet that the machine has: for kubeadm, or as
// patches, which it merges.
func (d *disk) kubelet() (Kubelet, error) {
	var texts []text
	for _, key := range slices.Sorted(maps.Keys(d.files)) {
		texts = append(texts, text{name: d.files[key].path, content: d.files[key].content})
	}
	var k Kubelet
	for _, t := range append(texts, d.reached...) {
		if t.program || !kubeletLine.MatchString(t.content) {
			continue
		}
		if err := k.read(t.content); err != nil {
			return Kubelet{}, fmt.Errorf("%s: the configuration of the kubelet %w", t.name, err)
		}
	}
	return k, nil
}

func (k *Kubelet) read(content string) error {
	decoder := yaml.NewDecoder(strings.NewReader(content))
	for {
		var document struct {
			Kind           string            `yaml:"kind"`
			SystemReserved map[string]string `yaml:"systemReserved"`
			KubeReserved   map[string]string `yaml:"kubeReserved"`
			EvictionHard   map[string]string `yaml:"evictionHard"`
			MaxPods        int               `yaml:"maxPods"`
		}
		if err := decoder.Decode(&document); err != nil {
			// Documents that are none are kubeadm's to say.
			return nil //nolint:nilerr // also the end
		}
		if document.Kind != "KubeletConfiguration" {
			continue
		}
		for name, reserved := range map[string]map[string]string{
			"systemReserved": document.SystemReserved,
			"kubeReserved":   document.KubeReserved,
		} {
			for resourceName, quantity := range reserved {
				if _, err := resource.ParseQuantity(quantity); err != nil {
					return fmt.Errorf("has no quantity for %s of %s: %q", resourceName, name, quantity)
				}
			}
		}
		k.SystemReserved = mergedWith(k.SystemReserved, document.SystemReserved)
		k.KubeReserved = mergedWith(k.KubeReserved, document.KubeReserved)
		k.EvictionHard = mergedWith(k.EvictionHard, document.EvictionHard)
		if document.MaxPods != 0 {
			k.MaxPods = document.MaxPods
		}
	}
}

func mergedWith(have, more map[string]string) map[string]string {
	if len(more) == 0 {
		return have
	}
	all := maps.Clone(have)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, more)
	return all
}
