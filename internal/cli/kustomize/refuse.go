package kustomize

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// reference is a text in a kustomization that can name a file, a directory or an address.
type reference struct {
	field, text string
	// inline is true if the field may have the content itself.
	inline bool
}

// references returns the texts of a kustomization that name files. Each field that the library passes to its loader is
// among them: a test gives all fields an address.
func references(k *types.Kustomization) (all []reference) {
	add := func(inline bool, field string, texts ...string) {
		for i, text := range texts {
			if text != "" {
				all = append(all, reference{fmt.Sprintf(field, i), text, inline})
			}
		}
	}
	add(false, "resources[%d]", k.Resources...)
	add(false, "bases[%d]", k.Bases...)
	add(false, "components[%d]", k.Components...)
	add(false, "crds[%d]", k.Crds...)
	add(false, "configurations[%d]", k.Configurations...)
	all = append(all, configs(k)...)
	if path := k.OpenAPI["path"]; path != "" {
		all = append(all, reference{"openapi.path", path, false})
	}
	for i, patch := range k.PatchesStrategicMerge {
		all = append(all, reference{fmt.Sprintf("patchesStrategicMerge[%d]", i), string(patch), true})
	}
	for _, list := range patchLists(k) {
		for i, patch := range list.patches {
			all = append(all, reference{fmt.Sprintf("%s[%d].path", list.field, i), patch.Path, false})
		}
	}
	for i, r := range k.Replacements {
		all = append(all, reference{fmt.Sprintf("replacements[%d].path", i), r.Path, false})
	}
	for i, g := range k.ConfigMapGenerator {
		all = append(all, sourcesOf(fmt.Sprintf("configMapGenerator[%d]", i), g.KvPairSources)...)
	}
	for i, g := range k.SecretGenerator {
		all = append(all, sourcesOf(fmt.Sprintf("secretGenerator[%d]", i), g.KvPairSources)...)
	}
	return slices.DeleteFunc(all, func(r reference) bool { return r.text == "" })
}

type patchList struct {
	field   string
	patches []types.Patch
}

func patchLists(k *types.Kustomization) []patchList {
	return []patchList{{"patches", k.Patches}, {"patchesJson6902", k.PatchesJson6902}}
}

// configs returns the configurations of generators and transformers.
func configs(k *types.Kustomization) (all []reference) {
	for _, list := range []struct {
		field string
		texts []string
	}{{"generators", k.Generators}, {"transformers", k.Transformers}, {"validators", k.Validators}} {
		for i, text := range list.texts {
			all = append(all, reference{fmt.Sprintf("%s[%d]", list.field, i), text, true})
		}
	}
	return all
}

func sourcesOf(field string, s types.KvPairSources) (all []reference) {
	for i, text := range s.FileSources {
		all = append(all, reference{fmt.Sprintf("%s.files[%d]", field, i), fileOf(text), false})
	}
	for i, text := range s.EnvSources {
		all = append(all, reference{fmt.Sprintf("%s.envs[%d]", field, i), text, false})
	}
	return append(all, reference{field + ".env", s.EnvSource, false})
}

// fileOf returns the file of a source, which may have a key: key=file.
func fileOf(source string) string {
	if _, file, is := strings.Cut(source, "="); is {
		return file
	}
	return source
}

// inline returns the texts of a kustomization that the library parses.
func inline(k *types.Kustomization) (all []string) {
	for _, ref := range references(k) {
		if ref.inline {
			all = append(all, ref.text)
		}
	}
	for _, list := range patchLists(k) {
		for _, patch := range list.patches {
			all = append(all, patch.Patch)
		}
	}
	return all
}

// fetches returns why a text makes the library fetch something, "" if it does not. It is as strict as the library or
// stricter: sigs.k8s.io/kustomize/api v0.21.1, internal/loader/fileloader.go and internal/git/repospec.go.
func fetches(text string) string {
	lower := strings.ToLower(text)
	u, err := url.Parse(text)
	switch {
	case err == nil && (u.Scheme == "http" || u.Scheme == "https"):
		return "is an address"
	case strings.Contains(text, "\n"):
		return ""
	case gitReference.MatchString(lower):
		return "is a reference to a git repository"
	}
	return ""
}

var gitReference = regexp.MustCompile(`^(git::)?(ssh://|https?://|file://|[a-z][a-z0-9-]*@|github\.com[/:])|^git::`)

// checkConfig returns why the configuration of generators or transformers is refused, "" if it is not: a plugin is a
// program, and the library's own ones can name files, or run Helm.
func checkConfig(text []byte, name string) string {
	docs, err := manifests.ReadObjects(bytes.NewReader(text), name)
	if err != nil {
		return "cannot be read: " + err.Error()
	}
	for _, doc := range docs {
		object := tree.Map(doc.Value)
		kind, _ := tree.Text(object["kind"])
		version, _ := tree.Text(object["apiVersion"])
		switch {
		case version != "builtin":
			return fmt.Sprintf("configures the plugin %s, which is a program", kind)
		case kind == "HelmChartInflationGenerator":
			return "runs Helm"
		}
		if why := fetchesBelow(object); why != "" {
			return why
		}
	}
	return ""
}

// fileKeys are the fields of the library's own plugins that name files.
var fileKeys = []string{"path", "paths", "files", "envs", "env"}

func fetchesBelow(value any) string {
	for _, v := range tree.List(value) {
		if why := fetchesBelow(v); why != "" {
			return why
		}
	}
	object := tree.Map(value)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if slices.Contains(fileKeys, key) {
			for _, v := range append(tree.List(object[key]), object[key]) {
				text, _ := tree.Text(v)
				if why := cmp.Or(fetches(text), fetches(fileOf(text))); why != "" {
					return fmt.Sprintf("names %q, which %s", text, why)
				}
			}
		}
		if why := fetchesBelow(object[key]); why != "" {
			return why
		}
	}
	return ""
}
