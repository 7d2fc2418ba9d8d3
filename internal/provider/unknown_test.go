package provider

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// inputsOf are the paths of what takes outputs in a type: the inputs of our own types, and what other
// components give. In a list it is the first element, in an object of pools that of win22.
func inputsOf(t reflect.Type, path []string) [][]string {
	t = below(t)
	switch {
	case isText(t), isResourceArgs(t):
		return nil
	case isGiven(t):
		return [][]string{path}
	case isInput(t):
		if t.Kind() == reflect.Struct {
			return nil // arguments of kubernetes, which must be plain
		}
		return [][]string{path}
	}
	var found [][]string
	switch t.Kind() {
	case reflect.Slice:
		return inputsOf(t.Elem(), append(slices.Clip(path), "0"))
	case reflect.Map:
		return inputsOf(t.Elem(), append(slices.Clip(path), "win22"))
	case reflect.Struct:
		all := fields(t)
		for _, key := range slices.Sorted(maps.Keys(all)) {
			found = append(found, inputsOf(all[key].Type, append(slices.Clip(path), key))...)
		}
	}
	return found
}

// beside are arguments that an input needs beside the good ones, by the token and the path.
var beside = map[string]args{}

// notShown are inputs that the children do not show as unknown, and why.
var notShown = map[string]string{}

// TestAnUnknownInEachPlaceThatTakesAnInput previews each component with an output that is not known yet,
// in each place that takes one.
func TestAnUnknownInEachPlaceThatTakesAnInput(t *testing.T) {
	t.Parallel()
	all := good(t)
	for _, c := range Components() {
		t.Run(c.Token(), func(t *testing.T) {
			t.Parallel()
			for _, path := range inputsOf(c.Args, nil) {
				at := c.Token() + " " + strings.Join(path, ".")
				given := all[c.Token()]
				for key, value := range beside[at] {
					given = with(given, strings.Split(key, "."), value).(args)
				}
				known := within(t, at, c.Token(), with(given, path, nil).(args))
				unknown := within(t, at, c.Token(), with(given, path, mocktest.Unknown[pulumi.AnyOutput]()).(args))
				if known == nil || unknown == nil {
					continue
				}
				more := strings.Count(unknown.String(), "[unknown]") > strings.Count(known.String(), "[unknown]")
				if why := notShown[at]; more == (why != "") {
					t.Errorf("%s: shown as unknown: %t, expected otherwise %s:\n%s", at, more, why, unknown)
				}
			}
		})
	}
}

// within is a preview that ends soon, and without an error.
func within(t *testing.T, at, token string, given args) *mocktest.Graph {
	t.Helper()
	type ended struct {
		graph *mocktest.Graph
		err   error
	}
	done := make(chan ended, 1)
	go func() {
		graph, err := preview(t, token, given)
		done <- ended{graph, err}
	}()
	select {
	case e := <-done:
		if e.err != nil {
			t.Errorf("%s: %v", at, e.err)
			return nil
		}
		return e.graph
	case <-time.After(2 * time.Minute):
		t.Errorf("%s: the preview does not end", at)
		return nil
	}
}
