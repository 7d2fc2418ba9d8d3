package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// fault is one error of the validation.
type fault struct {
	Type   field.ErrorType `json:"type"`
	Field  string          `json:"field"`
	Detail string          `json:"detail"`
	// BadValue is the value as text, or as JSON if it is not a text.
	BadValue string `json:"badValue"`
}

// faults returns the errors in a sorted order: their original order is not part of the API.
func faults(errs field.ErrorList) []fault {
	all := make([]fault, 0, len(errs))
	for _, err := range errs {
		all = append(all, fault{err.Type, err.Field, err.Detail, text(err.BadValue)})
	}
	slices.SortFunc(all, func(a, b fault) int {
		return cmp.Or(
			cmp.Compare(a.Field, b.Field),
			cmp.Compare(a.Type, b.Type),
			cmp.Compare(a.Detail, b.Detail),
			cmp.Compare(a.BadValue, b.BadValue),
		)
	})
	return all
}

// text formats a value as an API server's message does. It follows pointers.
func text(value any) string {
	of := reflect.ValueOf(value)
	for of.Kind() == reflect.Pointer && !of.IsNil() {
		of = of.Elem()
	}
	if of.Kind() == reflect.String {
		return of.String()
	}
	content, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(content)
}
