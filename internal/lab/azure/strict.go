package azure

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// checkBody compares a body, as decoded from JSON, with the SDK's type of it. Values of
// enumerations get the case that the SDK gives them, as in Azure's answers.
func checkBody(body Body, model reflect.Type) error {
	if err := checkValue(body, model, ""); err != nil {
		return err
	}
	// What the SDK itself cannot read is wrong in a way that was not foreseen.
	data, err := json.Marshal(body)
	if err != nil {
		return invalidContent("", err.Error())
	}
	if json.Unmarshal(data, reflect.New(model).Interface()) != nil {
		return invalidContent("", "the body is no "+model.Name())
	}
	return nil
}

var (
	timeType  = reflect.TypeFor[time.Time]()
	bytesType = reflect.TypeFor[[]byte]()
)

func checkValue(value any, want reflect.Type, path string) error {
	for want.Kind() == reflect.Pointer {
		want = want.Elem()
	}
	if value == nil {
		return nil
	}
	if want == timeType || want == bytesType {
		return checkKind[string](value, want, path)
	}
	switch want.Kind() {
	case reflect.Struct:
		return checkObject(value, want, path)
	case reflect.Slice:
		return checkList(value, want, path)
	case reflect.Map:
		return checkMap(value, want, path)
	case reflect.String:
		return checkKind[string](value, want, path)
	case reflect.Bool:
		return checkKind[bool](value, want, path)
	case reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64:
		return checkNumber(value, want, path)
	default:
		return nil
	}
}

func checkObject(value any, want reflect.Type, path string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return wrongType(want, path)
	}
	names := namesOf(want)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		at := join(path, key)
		index, ok := names[key]
		if !ok {
			return invalidContent(at, fmt.Sprintf("Could not find member '%s' on object of type '%s'", key, want.Name()))
		}
		field := want.Field(index).Type
		if err := checkValue(object[key], field, at); err != nil {
			return err
		}
		canonical, err := enumValue(object[key], field, at)
		if err != nil {
			return err
		}
		object[key] = canonical
	}
	return nil
}

func checkList(value any, want reflect.Type, path string) error {
	list, ok := value.([]any)
	if !ok {
		return wrongType(want, path)
	}
	for i := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		if err := checkValue(list[i], want.Elem(), at); err != nil {
			return err
		}
		canonical, err := enumValue(list[i], want.Elem(), at)
		if err != nil {
			return err
		}
		list[i] = canonical
	}
	return nil
}

func checkMap(value any, want reflect.Type, path string) error {
	object, ok := value.(map[string]any)
	if !ok {
		return wrongType(want, path)
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if err := checkValue(object[key], want.Elem(), join(path, key)); err != nil {
			return err
		}
	}
	return nil
}

func checkKind[T any](value any, want reflect.Type, path string) error {
	if _, ok := value.(T); !ok {
		return wrongType(want, path)
	}
	return nil
}

func checkNumber(value any, want reflect.Type, path string) error {
	number, ok := value.(float64)
	whole := want.Kind() == reflect.Int32 || want.Kind() == reflect.Int64
	if !ok || whole && number != math.Trunc(number) || want.Kind() == reflect.Int32 && math.Abs(number) > math.MaxInt32 {
		return wrongType(want, path)
	}
	return nil
}

// enumValue is the value as the SDK writes it, if its type is an enumeration.
func enumValue(value any, want reflect.Type, path string) (any, error) {
	for want.Kind() == reflect.Pointer {
		want = want.Elem()
	}
	text, isText := value.(string)
	possible, isEnum := enums[want]
	if !isText || !isEnum {
		return value, nil
	}
	for _, p := range possible {
		if strings.EqualFold(p, text) {
			return p, nil
		}
	}
	return nil, &Error{
		Status: http.StatusBadRequest, Code: "InvalidParameter", Target: path,
		Message: fmt.Sprintf("The value '%s' of parameter %s is invalid. Allowed values are: %s.", text, path, strings.Join(possible, ", ")),
	}
}

// wrongType does not show the value: it may be a password.
func wrongType(want reflect.Type, path string) error {
	return invalidContent(path, fmt.Sprintf("Error converting value to type '%s'", typeName(want)))
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		if t == bytesType {
			return "base64 string"
		}
		for t = t.Elem(); t.Kind() == reflect.Pointer; {
			t = t.Elem()
		}
		return "list of " + typeName(t)
	case reflect.Map:
		return "object"
	default:
		return t.Name()
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// jsonNames remembers what namesOf found out.
var jsonNames sync.Map

// namesOf are the JSON names of a struct's fields. The SDK's types have no tags: a
// value with only one field set shows how its own marshaller calls it.
func namesOf(t reflect.Type) map[string]int {
	if known, ok := jsonNames.Load(t); ok {
		return known.(map[string]int)
	}
	names := map[string]int{}
	// Constants are in every value.
	constants := jsonObject(reflect.New(t))
	for i := range t.NumField() {
		field := t.Field(i)
		value := reflect.New(t)
		switch field.Type.Kind() {
		case reflect.Pointer:
			value.Elem().Field(i).Set(reflect.New(field.Type.Elem()))
		case reflect.Slice:
			value.Elem().Field(i).Set(reflect.MakeSlice(field.Type, 1, 1))
		case reflect.Map:
			value.Elem().Field(i).Set(reflect.MakeMap(field.Type))
		case reflect.Interface:
			if field.Type.NumMethod() > 0 {
				continue
			}
			value.Elem().Field(i).Set(reflect.ValueOf("any"))
		default:
			continue
		}
		for name := range jsonObject(value) {
			if _, constant := constants[name]; !constant || strings.EqualFold(name, field.Name) {
				names[name] = i
			}
		}
	}
	jsonNames.Store(t, names)
	return names
}

// jsonObject is empty if the value is none.
func jsonObject(value reflect.Value) map[string]any {
	var object map[string]any
	if data, err := json.Marshal(value.Interface()); err == nil {
		_ = json.Unmarshal(data, &object) // a list, say
	}
	return object
}
