package network

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// antreaConf is the key of the agent's configuration in the ConfigMaps of Antrea's manifests.
const antreaConf = "antrea-agent.conf"

// documentStart matches the line before a document of YAML.
var documentStart = regexp.MustCompile(`(?m)^---[ \t]*(?:#.*)?\r?\n`)

// AntreaManifests returns Antrea's manifests with the settings of [Defaulted.AntreaConfig] in the
// ConfigMaps of its agents: antrea-config, for Linux, and antrea-windows-config. Other settings,
// and all other objects, stay unchanged; the comments of the changed ConfigMaps are lost. The text
// is antrea-windows-with-ovs.yml or antrea-windows.yml of Antrea's release, for which Antrea has no
// Helm chart, or antrea.yml, or all in one.
//
// The endpoint is the API server's, host:port. It is an error if it is not, for the other kinds,
// for a text that is not YAML, and for a text without one of the ConfigMaps.
func (n Defaulted) AntreaManifests(text, endpoint string) (string, error) {
	config, err := n.AntreaConfig(endpoint)
	if err != nil {
		return "", err
	}
	settings := map[string]map[string]any{"antrea-config": config.Linux, "antrea-windows-config": config.Windows}
	var written strings.Builder
	from, found := 0, false
	for _, at := range append(documentStart.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		document := text[from:at[0]]
		changed, has, err := withSettings(document, settings)
		if err != nil {
			return "", fmt.Errorf("manifests of Antrea, document at line %d: "+
				"%w", 1+strings.Count(text[:from], "\n"), err)
		}
		found = found || has
		written.WriteString(changed + text[at[0]:at[1]])
		from = at[1]
	}
	if !found {
		return "", fmt.Errorf("manifests of Antrea: no ConfigMap %s with the key %s: use antrea-windows-with-ovs.yml, "+
			"antrea-windows.yml or antrea.yml of a release of Antrea",
			strings.Join(slices.Sorted(maps.Keys(settings)), " or "), antreaConf)
	}
	return written.String(), nil
}

// withSettings returns a document with the settings if it is one of the ConfigMaps, or unchanged and
// false.
func withSettings(document string, settings map[string]map[string]any) (string, bool, error) {
	var object map[string]any
	if err := yaml.Unmarshal([]byte(document), &object); err != nil {
		return "", false, err
	}
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	data, _ := object["data"].(map[string]any)
	conf, isText := data[antreaConf].(string)
	desired, ok := settings[name]
	if object["kind"] != "ConfigMap" || !isText || !ok {
		return document, false, nil
	}
	var agent map[string]any
	if err := yaml.Unmarshal([]byte(conf), &agent); err != nil {
		return "", false, errors.New(antreaConf + " is not YAML") // an error would show its text
	}
	merged, err := yaml.Marshal(mergeSettings(agent, desired))
	if err != nil {
		return "", false, err
	}
	data[antreaConf] = string(merged)
	changed, err := yaml.Marshal(object)
	return string(changed), true, err
}

// mergeSettings returns settings with others in them, at every depth.
func mergeSettings(settings, others map[string]any) map[string]any {
	merged := map[string]any{}
	maps.Copy(merged, settings)
	for key, other := range others {
		below, isObject := other.(map[string]any)
		if isObject {
			existing, _ := merged[key].(map[string]any)
			other = mergeSettings(existing, below)
		}
		merged[key] = other
	}
	return merged
}
