package placeholder

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// forms are how programs and people write placeholders.
var forms = regexp.MustCompile(strings.Join([]string{
	`\{\{.*\}\}`, `\{%.*%\}`, `<%.*%>`, // templates
	`\$\{.+\}`, `\$\(.+\)`, `\$\[.+\]`, `\$[A-Za-z_]\w*`, // envsubst, shells and Azure Pipelines
	`\[\[.*\]\]`, `^\(.+\)$`, `%\(\w+\)s`, `%s`, // Go with other delimiters, Concourse, Chainsaw, printf
	`%[A-Za-z_]\w*%`, `@[A-Za-z_]\w*@`, `#[A-Za-z_]\w*#`, `~[A-Za-z_]\w*~`, `__\w+__`, // sed, CMake, pipelines
	`<[A-Za-z][^<>]*>`, `\{[A-Za-z][\w.-]*\}`, `(?:^|[/:._-])\[[A-Za-z][^\[\]]*\](?:[/:._-]|$)`, // documentation
}, "|"))

// marks are the characters that a placeholder has, except for underscores.
const marks = "{$%@#~<[("

// longest is the maximum size of a text with a placeholder, in bytes: an alias can repeat a text thousands of times, and
// each time it would be searched.
const longest = 1000

// sandbox is a variable that containerd replaces in the command and the working directory of a host-process container.
// Source: https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/.
const sandbox = "CONTAINER_SANDBOX_MOUNT_POINT"

// missing removes what Go's packages fmt and text/template write for a value that is missing: nothing replaces it.
var missing = strings.NewReplacer("<nil>", "", "<no value>", "")

// In reports whether a text has a placeholder.
func In(text string) bool {
	return len(text) <= longest && (strings.ContainsAny(text, marks) || strings.Contains(text, "__")) &&
		forms.MatchString(missing.Replace(text)) && !strings.Contains(text, sandbox)
}

// words are how people write a placeholder without marks.
var words = regexp.MustCompile(strings.Join([]string{
	`^[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+$`, `(?i)^(?:change|replace|fill)[_-]?me$`,
	`^(?:placeholder|todo|tbd|fixme|x{3,}|\.{3}|\?+)$`,
}, "|"))

// Word reports whether a text is a word that stands for a value, such as REPLACE_ME. Many a value looks like one, so
// only a field that cannot take any word has a placeholder then.
func Word(text string) bool {
	return words.MatchString(text)
}

// capitals match a part of a name in capitals.
var capitals = regexp.MustCompile(`(?:^|[-.])[A-Z][A-Z0-9_]{2,}(?:[-.]|$)`)

// InName reports whether a name that cannot have capitals is a word that stands for a value, or has one as a part, such
// as backup-TIMESTAMP.
func InName(name string) bool { return Word(name) || capitals.MatchString(name) }

// Unquoted returns a placeholder that YAML reads as a list or a mapping, because it has no quotes: [your name] or {x}. A
// list of a single word is a list.
func Unquoted(v any) (text string, is bool) {
	switch v := v.(type) {
	case []any:
		if len(v) == 1 {
			text, _ = v[0].(string)
			text, is = "["+text+"]", strings.Contains(text, " ")
		}
	case map[string]any:
		for key, value := range v {
			text, is = "{"+key+"}", len(v) == 1 && value == nil
		}
	}
	return text, is && In(text)
}

// free are the fields whose texts may have the form of a placeholder: programs, and what they read.
var free = map[string]bool{
	"command": true, "args": true, "env": true, "subPathExpr": true, "annotations": true, "stringData": true,
	"description": true,
}

// Without returns an object whose placeholders are unknown values. It returns false, and the object itself, if there
// are none. Texts that may be intended, such as commands, stay.
func Without(object map[string]any) (map[string]any, bool) {
	kind, _ := tree.Text(object["kind"])
	version, _ := tree.Text(object["apiVersion"])
	if slices.Contains(texts, kind) ||
		strings.HasPrefix(version, "argoproj.io/") && strings.Contains(kind, "Workflow") {
		return object, false // Argo replaces the parameters of a Workflow in the cluster
	}
	copied, found := known(object)
	return tree.Map(copied), found
}

// texts are kinds of objects whose fields are texts for other readers.
var texts = []string{"ConfigMap", "CustomResourceDefinition"}

// known copies only what has a placeholder.
func known(v any) (copied any, found bool) {
	switch v := v.(type) {
	case string:
		if In(v) {
			return tree.Unknown{}, true
		}
	case map[string]any:
		var copied map[string]any
		for key, value := range v {
			if free[key] {
				continue
			}
			if part, found := known(value); found {
				if copied == nil {
					copied = maps.Clone(v)
				}
				copied[key] = part
			}
		}
		if copied != nil {
			return copied, true
		}
	case []any:
		var copied []any
		for i, value := range v {
			if part, found := known(value); found {
				if copied == nil {
					copied = slices.Clone(v)
				}
				copied[i] = part
			}
		}
		if copied != nil {
			return copied, true
		}
	}
	return v, false
}
