package manifests_test

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const pod = `apiVersion: v1
kind: Pod
metadata: {name: web} # the old one
spec:
  containers:
  - {name: web, image: shop.example.com/web}
`

// A document knows the lines of its fields.
func ExampleReadObjects() {
	documents, err := manifests.ReadObjects(strings.NewReader(pod), "pod.yaml")
	for _, document := range documents {
		fmt.Println("line", document.Line("spec.containers[0].image"))
	}
	fmt.Println(err)
	// Output:
	// line 6
	// <nil>
}

// Values are added to the text. Existing text stays unchanged, including comments.
func ExampleText() {
	text, err := manifests.NewText([]byte(pod), "pod.yaml")
	if err == nil {
		err = text.Edit(text.Documents[0], []tree.Edit{{Path: []string{"spec", "os", "name"}, Value: "linux"}})
	}
	fmt.Println(err)
	fmt.Print(string(text.Bytes()))
	// Output:
	// <nil>
	// apiVersion: v1
	// kind: Pod
	// metadata: {name: web} # the old one
	// spec:
	//   os:
	//     name: linux
	//   containers:
	//   - {name: web, image: shop.example.com/web}
}
