package deploy_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// A project defines the language of its program, and so the tools that it needs.
func ExampleReadProject() {
	dir, err := os.MkdirTemp("", "project")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	err = os.WriteFile(filepath.Join(dir, "Pulumi.yaml"), []byte("name: shop\nruntime: yaml\n"), 0o600)
	if err != nil {
		fmt.Println(err)
		return
	}
	project, err := deploy.ReadProject(dir)
	fmt.Println(project.Name, project.InGo(), err)
	// Output:
	// shop false <nil>
}
