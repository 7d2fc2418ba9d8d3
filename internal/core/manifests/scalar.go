package manifests

import (
	"encoding/base64"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	tagNull   = "!!null"
	tagBool   = "!!bool"
	tagInt    = "!!int"
	tagFloat  = "!!float"
	tagString = "!!str"
	tagBinary = "!!binary"
	tagMerge  = "!!merge"
)

// scalar returns the value that kubectl reads, with floats unchanged; false for a value that kubectl refuses, which is
// reported.
func (t *converter) scalar(n *yaml.Node) (any, bool) {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	tag := tagString
	if n.Style&yaml.TaggedStyle != 0 {
		tag = n.Tag
	} else if n.Style&quoted == 0 {
		v, _ := resolve(n.Value)
		return v, true
	}
	switch tag {
	case tagNull, tagBool, tagInt, tagFloat:
		v, is := resolve(n.Value)
		if is == tagInt && tag == tagFloat {
			return v, true
		}
		if is == tag {
			return v, true
		}
		t.add(t.line(n), "%q is not a valid %s", shown(n.Value), tag)
		return nil, false
	case tagBinary:
		data, err := base64.StdEncoding.DecodeString(n.Value)
		if err != nil {
			t.add(t.line(n), "!!binary without base64")
		}
		return string(data), err == nil
	default:
		return n.Value, true
	}
}

// resolve returns the value of a plain scalar: YAML 1.1, as sigs.k8s.io/yaml reads it, which treats base 60 and dates
// as texts.
func resolve(text string) (v any, tag string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return nil, tagNull
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true, tagBool
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false, tagBool
	case ".nan", ".NaN", ".NAN":
		return math.NaN(), tagFloat
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return math.Inf(1), tagFloat
	case "-.inf", "-.Inf", "-.INF":
		return math.Inf(-1), tagFloat
	}
	if strings.ContainsRune("+-.0123456789", rune(text[0])) {
		if v, tag := resolveNumber(text); tag != "" {
			return v, tag
		}
	}
	return text, tagString
}

var yamlFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// resolveNumber returns no tag for a text that is not a number.
func resolveNumber(text string) (v any, tag string) {
	if text[0] == '.' {
		// A text with an underscore is not a number here.
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f, tagFloat
		}
		return nil, ""
	}
	plain := strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return i, tagInt
	}
	if u, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return tree.Normalize(u), tagInt
	}
	if yamlFloat.MatchString(plain) {
		if f, err := strconv.ParseFloat(plain, 64); err == nil {
			return f, tagFloat
		}
	}
	return nil, ""
}
