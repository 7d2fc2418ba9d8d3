package badinput

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"gopkg.in/yaml.v3"
)

// deepest is the most encodings that one value is nested in: base64 in a literal of a script, compression,
// the document of cloud-init, a file in it, a text of that file.
const deepest = 6

// holds reports whether a tree contains a text: in one of its own texts, or in one that is encoded as base64, UTF-16,
// JSON or YAML, or compressed.
func holds(tree any, value string, depth int) bool {
	if depth > deepest {
		return false
	}
	in := func(part any) bool { return holds(part, value, depth) }
	switch tree := tree.(type) {
	case nil:
		return false
	case map[string]any:
		for key, element := range tree {
			if strings.Contains(key, value) || in(element) {
				return true
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(tree, in)
	case string:
		return strings.Contains(tree, value) || slices.ContainsFunc(decoded(tree), func(part any) bool {
			return holds(part, value, depth+1)
		})
	default:
		return fmt.Sprint(tree) == value
	}
}

var encoded = regexp.MustCompile(`[A-Za-z0-9+/]{8,}={0,2}`)

// decoded returns the values that are encoded in a text, or as the whole text.
func decoded(s string) []any {
	var parts []any
	for _, part := range encoded.FindAllString(s, -1) {
		if b, err := base64.StdEncoding.DecodeString(part); err == nil {
			parts = append(parts, plain(b))
		}
	}
	if tree, ok := fromJSON(s); ok {
		return append(parts, tree)
	}
	return append(parts, documents(s)...)
}

// plain returns bytes as a text, decompressed or decoded from UTF-16.
func plain(b []byte) string {
	if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		if text, err := io.ReadAll(z); err == nil {
			return string(text)
		}
	}
	if len(b) >= 8 && len(b)%2 == 0 && b[1] == 0 && b[3] == 0 {
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(b[2*i:])
		}
		return string(utf16.Decode(units))
	}
	return string(b)
}

func fromJSON(s string) (any, bool) {
	if !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
		return nil, false
	}
	decoder := json.NewDecoder(strings.NewReader(s))
	decoder.UseNumber()
	var tree any
	return tree, decoder.Decode(&tree) == nil && tree != nil
}

// documents returns the YAML documents of a text, nil if the text is not YAML.
func documents(s string) []any {
	if !strings.Contains(s, ":") || !strings.Contains(s, "\n") {
		return nil
	}
	var all []any
	for decoder := yaml.NewDecoder(strings.NewReader(s)); ; {
		var tree any
		if err := decoder.Decode(&tree); err != nil {
			return all
		}
		switch tree.(type) {
		case map[string]any, []any:
			all = append(all, tree)
		}
	}
}
