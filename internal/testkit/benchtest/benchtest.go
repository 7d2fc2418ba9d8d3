// Package benchtest runs benchmarks in tests, so that none breaks unnoticed.
package benchtest

import (
	"flag"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Once runs each benchmark once, and fails if it fails. Unlike the results of `go test -bench`, Go stores those of a
// test in its cache.
func Once(t *testing.T, benchmarks ...func(*testing.B)) {
	t.Helper()
	flags.Lock()
	defer flags.Unlock()
	defer set(t, "test.benchtime", "1x")()
	for _, benchmark := range benchmarks {
		failed := false
		testing.Benchmark(func(b *testing.B) {
			b.Helper()
			defer func() { failed = b.Failed() }()
			benchmark(b)
		})
		if failed {
			function := runtime.FuncForPC(reflect.ValueOf(benchmark).Pointer()).Name()
			function = function[strings.LastIndex(function, ".")+1:]
			t.Errorf("%s fails: go test -run '^$' -bench '^%s$' shows why", function, function)
		}
	}
}

// Short is Once with the flag -short.
func Short(t *testing.T, benchmarks ...func(*testing.B)) {
	t.Helper()
	defer set(t, "test.short", "true")()
	Once(t, benchmarks...)
}

// flags protects the flags of the package testing.
var flags sync.Mutex

// set sets a flag of the package testing. The function that it returns restores the flag.
func set(t *testing.T, name, value string) (restore func()) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	return func() { _ = flag.Set(name, before) } // It was valid before.
}
