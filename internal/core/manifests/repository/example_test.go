package repository_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
)

// A kustomization says what the files are that it names.
func Example() {
	r := repository.Read([]repository.File{{
		Path: "prod/kustomization.yaml",
		Document: map[string]any{
			"resources": []any{"web.yaml"}, "patches": []any{map[string]any{"path": "replicas.yaml"}},
		},
	}})
	object := map[string]any{"apiVersion": "v1", "kind": "ReplicationController"}
	for _, file := range []string{"prod/web.yaml", "prod/replicas.yaml"} {
		kind, by := r.KindOf(file, manifests.Document{Value: object})
		fmt.Printf("%s: %q, by %q\n", file, kind, by)
	}
	// Output:
	// prod/web.yaml: "", by ""
	// prod/replicas.yaml: "kustomize patch", by "prod/kustomization.yaml"
}
