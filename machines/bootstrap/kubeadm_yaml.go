package bootstrap

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// yamlDocuments writes values of this package's own types, with the tags of yaml.v3.
// Left to itself, yaml.v3 writes some texts with line breaks so that it reads others
// back, and versions of YAML differ in what is a number or a truth. So everything that is
// not plainly a word is in double quotes.
func yamlDocuments(documents ...any) string {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	for _, document := range documents {
		if err := encoder.Encode(kubeadmYAML(reflect.ValueOf(document))); err != nil {
			panic(fmt.Sprintf("bootstrap: %T cannot be written as YAML: %v", document, err))
		}
	}
	return text.String()
}

func kubeadmYAML(v reflect.Value) *yaml.Node {
	switch v.Kind() {
	case reflect.Pointer:
		return kubeadmYAML(v.Elem())
	case reflect.String:
		return textNode(v.String())
	case reflect.Int:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(v.Int(), 10)}
	case reflect.Bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v.Bool())}
	case reflect.Slice:
		list := &yaml.Node{Kind: yaml.SequenceNode}
		for i := range v.Len() {
			list.Content = append(list.Content, kubeadmYAML(v.Index(i)))
		}
		return list
	case reflect.Map:
		mapping := &yaml.Node{Kind: yaml.MappingNode}
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			mapping.Content = append(mapping.Content, kubeadmYAML(key), kubeadmYAML(v.MapIndex(key)))
		}
		return mapping
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[yaml.Node]() {
			node := v.Interface().(yaml.Node)
			return &node
		}
		mapping := &yaml.Node{Kind: yaml.MappingNode}
		for field, value := range v.Fields() {
			name, option, _ := strings.Cut(field.Tag.Get("yaml"), ",")
			switch {
			case option == "inline":
				mapping.Content = append(mapping.Content, kubeadmYAML(value).Content...)
			case option != "omitempty" || !isEmpty(value):
				mapping.Content = append(mapping.Content, textNode(name), kubeadmYAML(value))
			}
		}
		return mapping
	default:
		panic("bootstrap: a " + v.Kind().String() + " cannot be written as YAML")
	}
}

// isEmpty is as in encoding/json: a pointer to what is empty is not.
func isEmpty(v reflect.Value) bool {
	return v.IsZero() || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
}

var (
	plainWord = regexp.MustCompile(`^[A-Za-z/]([A-Za-z0-9 ./_=,+:-]*[A-Za-z0-9./_=,+-])?$`)
	// otherWord is what a version of YAML takes for something else than a text.
	otherWord = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|true|false|null)$`)
)

func textNode(s string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Style: yaml.DoubleQuotedStyle}
	if plainWord.MatchString(s) && !otherWord.MatchString(s) && !strings.Contains(s, ": ") {
		node.Style = 0
	}
	return node
}
