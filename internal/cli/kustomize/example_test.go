package kustomize_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/mixedkube/mixedkube/internal/cli/kustomize"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// An overlay sets the replicas of a Deployment of its base.
func Example() {
	reader := kustomize.NewReader(new(disk.Access))
	b, err := reader.Build("testdata/overlay")
	if err != nil {
		log.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(b.Text, &object); err != nil {
		log.Fatal(err)
	}
	trace := b.Trace(object)
	for _, path := range []string{"spec.replicas", "spec.template.spec.nodeSelector[kubernetes.io/os]"} {
		p := trace.Place(path)
		fmt.Printf("%s: %s:%d\n", path, p.File, p.Line)
	}
	// Output:
	// spec.replicas: testdata/overlay/kustomization.yaml:4
	// spec.template.spec.nodeSelector[kubernetes.io/os]: testdata/base/web.yaml:10
}
