package conversion_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/conversion"
)

// The values and nodes of a text take some 50 times its size: a file with many objects must not hold them together.
func TestConvertEachHoldsOneObjectAtATime(t *testing.T) { //nolint:paralleltest // it measures the heap
	const objects = 2000
	var text strings.Builder
	for i := range objects {
		fmt.Fprintf(&text, `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web-%[1]d, labels: {app: web-%[1]d}}
spec:
  selector: {matchLabels: {app: web-%[1]d}}
  template:
    metadata: {labels: {app: web-%[1]d}}
    spec:
      containers:
        - {name: web, image: example.com/web:1.0}
`, i)
	}
	converter, errs := conversion.NewConverter(conversion.Options{Topology: cluster(true), AssumeLinux: true}, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	f := conversion.File{Name: "a.yaml", Text: []byte(text.String())}
	before, most, seen := live(), uint64(0), 0
	out := converter.ConvertEach(f, func(one conversion.ConvertedObject) {
		if one.Done != conversion.Assumed {
			t.Fatalf("%s is %s", one.Name, one.Done)
		}
		if seen++; seen%(objects/4) == 0 {
			most = max(most, max(live(), before)-before)
		}
	})
	if len(out.File.Problems) > 0 || len(out.File.Changes) < objects || seen != objects {
		t.Fatalf("got %d objects, %d changes, problems %v", seen, len(out.File.Changes), out.File.Problems)
	}
	if limit := 4 * uint64(len(f.Text)); most > limit {
		t.Errorf("%d bytes are in use for a text of %d bytes: want at most %d", most, len(f.Text), limit)
	}
	t.Logf("%.1f bytes in use per byte of the text", float64(most)/float64(len(f.Text)))
}

// live returns the bytes that are in use.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
