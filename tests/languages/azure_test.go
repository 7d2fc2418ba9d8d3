package languages

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

func TestAzure(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"yaml", "typescript", "python"} {
		t.Run(language, func(t *testing.T) {
			l := labtest.New(t)
			ctx := t.Context()
			if err := l.Start(ctx, lab.Options{Stack: "lab", Program: language}); err != nil {
				t.Fatal(err)
			}
			stack, err := l.Deployment(ctx)
			available(t, language, err)
			for _, step := range []struct {
				name string
				run  func() error
			}{
				{"preview", func() error { return stack.Preview(ctx, "--diff") }},
				{"preview2", func() error { return stack.Preview(ctx) }},
				{"up", func() error { return stack.Up(ctx, "--skip-preview", "--diff", "--logtostderr", "-v=8") }},
				{"same", func() error { return stack.Preview(ctx, "--expect-no-changes") }},
				{"export", func() error { return stack.Export(ctx, "/tmp/w/i31azure/bin/"+language+"-export") }},
				{"destroy", func() error { return stack.Destroy(ctx, "--skip-preview") }},
			} {
				l.Out.Take()
				err := step.run()
				os.WriteFile(filepath.Join("/tmp/w/i31azure/bin", language+"-"+step.name), []byte(l.Out.Take()), 0o600)
				if err != nil {
					t.Errorf("%s: %v", step.name, err)
				}
				if step.name == "up" {
					l.Settles(t)
				}
			}
		})
	}
}
