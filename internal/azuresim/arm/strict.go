package arm

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// check compares a value, as decoded from JSON, with its type. In the result, values of enumerations have the SDK's
// case, so that rules can compare them. In Azure's answers the case may differ. Objects and lists are changed in place.
func (t *bodyType) check(value any, path string) (any, error) {
	if value == nil {
		return nil, nil // null is valid anywhere
	}
	switch t.form {
	case objectForm:
		return t.checkObject(value, path)
	case mapForm:
		return t.checkMap(value, path)
	case listForm:
		return t.checkList(value, path)
	case textForm:
		return t.checkText(value, path)
	case anyForm:
		return value, nil
	default:
		if !t.reads(value) {
			return nil, wrongType(t, path)
		}
		return value, nil
	}
}

func (t *bodyType) checkObject(value any, path string) (any, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, wrongType(t, path)
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		at := join(path, key)
		property, ok := t.properties[key]
		if !ok {
			return nil, t.unknownProperty(path, key)
		}
		canonical, err := property.check(object[key], at)
		if err != nil {
			return nil, err
		}
		object[key] = canonical
	}
	return object, nil
}

// unknownProperty returns AKS' answer, or the one of Azure Resource Manager, which reads the top of each body. AKS
// refuses unknown properties since API version 2024-01-01 (https://github.com/Azure/AKS/issues/4060). The message was
// seen (https://github.com/Azure/azure-rest-api-specs/issues/40740).
func (t *bodyType) unknownProperty(path, key string) error {
	if t.ofAKS && path != "" {
		return refused("UnmarshalError", "", "UnmarshalEntity encountered error: json: unknown field %q Check that "+
			"the field is in the right location, is spelled correctly, and is supported in the API version. Visit "+
			"aka.ms/aks/apiversions for more API version information..", key)
	}
	return invalidContent(join(path, key),
		fmt.Sprintf("Could not find member '%s' on object of type '%s'", key, t.name))
}

func (t *bodyType) checkMap(value any, path string) (any, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, wrongType(t, path)
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		canonical, err := t.element.check(object[key], join(path, key))
		if err != nil {
			return nil, err
		}
		object[key] = canonical
	}
	return object, nil
}

func (t *bodyType) checkList(value any, path string) (any, error) {
	list, ok := value.([]any)
	if !ok {
		return nil, wrongType(t, path)
	}
	for i := range list {
		canonical, err := t.element.check(list[i], fmt.Sprintf("%s[%d]", path, i))
		if err != nil {
			return nil, err
		}
		list[i] = canonical
	}
	return list, nil
}

func (t *bodyType) checkText(value any, path string) (any, error) {
	text, ok := value.(string)
	if !ok {
		return nil, wrongType(t, path)
	}
	if len(t.values) == 0 {
		return text, nil
	}
	for _, possible := range t.values {
		if strings.EqualFold(possible, text) {
			return possible, nil
		}
	}
	return nil, &Error{
		Status: http.StatusBadRequest, Code: "InvalidParameter", Target: path,
		Message: fmt.Sprintf("The value '%s' of parameter %s is invalid. Allowed values are: %s.", text, path,
			strings.Join(t.values, ", ")),
	}
}

// reads reports whether the SDK can decode a value of a form other than those above.
func (t *bodyType) reads(value any) bool {
	switch value := value.(type) {
	case bool:
		return t.form == boolForm
	case float64:
		return math.Abs(value) <= t.limit && (t.form == floatForm || t.form == wholeForm && value == math.Trunc(value))
	case string:
		return t.form == timeForm && isMoment(value) || t.form == base64Form && isBase64(value)
	default:
		return false
	}
}

// isMoment accepts the same times as the SDK: RFC 3339, even without T or a time zone.
func isMoment(text string) bool {
	return slices.ContainsFunc([]string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00",
		time.DateTime,
	}, func(layout string) bool {
		_, err := time.Parse(layout, strings.ToUpper(text))
		return err == nil
	})
}

func isBase64(text string) bool {
	_, err := base64.StdEncoding.DecodeString(text)
	return err == nil
}

// wrongType does not show the value: it may be a password.
func wrongType(want *bodyType, path string) error {
	return invalidContent(path, fmt.Sprintf("Error converting value to type '%s'", want.name))
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
