package structure

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/internal/core/value/placeholder"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// text checks a string. shown is the value to show, which differs if it is secret.
func (w *walker) text(s *shape, v string, shown any) {
	switch s.form {
	case str, intOrString, anything, schemaOrList, schemaOrStrings:
	case quantity:
		if !isQuantity(v) {
			w.malformed(shown, "is not a quantity", "write a number with a suffix of Kubernetes, 500m or 2Gi for "+
				"example")
		}
	case timestamp:
		if _, err := time.Parse(time.RFC3339, v); err != nil {
			w.malformed(shown, "is not a time", "write it as in RFC 3339, 2026-11-24T08:00:00Z for example")
		}
	case microTime:
		if _, err := time.Parse(metav1.RFC3339Micro, v); err != nil {
			w.malformed(shown, "is not a time with microseconds", "write it as 2026-11-24T08:00:00.000000Z")
		}
	case base64s:
		if _, err := base64.StdEncoding.DecodeString(v); err != nil {
			fix := "encode it"
			if len(w.path) > 0 && w.path[0].name == "data" {
				fix = "encode it, or put the text itself into stringData"
			}
			w.malformed(shown, "is not in base64", fix)
		}
	default:
		w.wrongType(s, v, shown)
	}
}

// scalar checks a number or a boolean.
func (w *walker) scalar(s *shape, v, shown any) {
	f := s.form
	if f == anything || f == schemaOrList || f == schemaOrStrings {
		return
	}
	switch v := v.(type) {
	case bool:
		if f != boolean && f != schemaOrBool {
			w.wrongType(s, v, shown)
		}
	case int64:
		switch f {
		case quantity, float, int64s:
		case int32s, intOrString:
			if v < math.MinInt32 || v > math.MaxInt32 {
				w.malformed(shown, "does not fit in 32 bits", "write a number from "+strconv.Itoa(math.MinInt32)+" to "+
					strconv.Itoa(math.MaxInt32))
			}
		default:
			w.wrongType(s, v, shown)
		}
	case float64:
		switch f {
		case quantity, float:
		case int32s, int64s, intOrString:
			w.malformed(shown, "is not a whole number", "round it")
		default:
			w.wrongType(s, v, shown)
		}
	}
}

// isQuantity parses a text like the JSON decoder of a quantity. A text that needs an escape in JSON is not a quantity.
func isQuantity(v string) bool {
	if isCommonQuantity(v) {
		return true
	}
	if strings.ContainsAny(v, "\n\r\t\"\\") {
		return false
	}
	_, err := tree.ParseQuantity(strings.TrimSpace(v))
	return err == nil
}

// isCommonQuantity recognizes most quantities without parsing them: up to 15 digits with a suffix.
func isCommonQuantity(v string) bool {
	digits := 0
	for digits < len(v) && v[digits] >= '0' && v[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 15 {
		return false
	}
	switch v[digits:] {
	case "", "m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti":
		return true
	}
	return false
}

func (w *walker) malformed(shown any, detail, fix string) {
	w.report(Problem{Fault: Malformed, Value: shown, Detail: detail, Fix: fix})
}

// formNames describe what a value of a form must be, as in messages.
var formNames = map[form]string{
	object: "an object", list: "a list", mapping: "a map", str: "a string", boolean: "a boolean",
	int32s: "an integer", int64s: "an integer", float: "a number", base64s: "a string in base64",
	quantity: "a quantity", intOrString: "an integer or a string", timestamp: "a time, in quotes",
	microTime: "a time, in quotes", schemaOrBool: "a boolean or a schema", schemaOrList: "a schema or a list of them",
	schemaOrStrings: "a schema or a list of strings",
}

// wrongType reports a value of the wrong type.
func (w *walker) wrongType(s *shape, v, shown any) {
	if _, secret := shown.(tree.Secret); secret {
		w.report(Problem{Fault: WrongType, Value: shown, Detail: "must be " + formNames[s.form], Fix: fix(s, nil)})
		return
	}
	p := Problem{
		Fault: WrongType, Value: plain(v), Detail: "is " + kindOf(v) + ", and must " +
			"be " + formNames[s.form], Fix: fix(s, v),
	}
	if text, is := placeholder.Unquoted(v); is {
		p.Value = text
	}
	w.report(p)
}

func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int64, float64:
		return "a number"
	case []any:
		return "a list"
	default:
		return "an object"
	}
}

// fix returns how to write a value of a shape. The value is nil if it is secret.
func fix(s *shape, v any) string {
	switch s.form {
	case str, timestamp, microTime:
		switch v := v.(type) {
		case bool: // the original text is lost
			if v {
				return "quote it, as yes, on and y are true as well"
			}
			return "quote it, as no, off and n are false as well"
		case int64:
			return "quote it"
		case float64:
			return "quote it, as a number loses its last zeros (1.30 is 1.3)"
		case []any:
			if len(v) == 1 {
				return "write its element alone"
			}
		}
	case boolean:
		if text, ok := v.(string); ok && (text == "true" || text == "false") {
			return "remove the quotes"
		}
		return "write true or false"
	case int32s, int64s, float:
		if text, ok := v.(string); ok {
			if _, err := strconv.ParseInt(text, 10, 64); err == nil {
				return "remove the quotes"
			}
		}
		return "write a number"
	case list:
		switch v := v.(type) {
		case string:
			if s.elem.form == str {
				return "write [" + strconv.Quote(v) + "]"
			}
		case map[string]any:
			return "begin each element with a dash"
		}
		return "write a list"
	case object, mapping:
		if v, ok := v.([]any); ok && len(v) == 1 {
			return "remove the dash"
		}
		if text, ok := v.(string); ok && s.form == object && s.typ.fields.get("name") != nil {
			return "write {name: " + text + "}"
		}
		return "write fields with values"
	}
	return "write " + formNames[s.form]
}
