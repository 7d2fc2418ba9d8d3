package e2e

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/rule/ruletest"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// wrongCharts checks that charts with mistakes are not deployed: the provider renders them, and Helm looks them up.
func wrongCharts(t *testing.T, l testLab) {
	t.Helper()
	stack := l.project(t, "components/manifest/testdata/charts", "dev", "")
	preview := []string{"--config", "charts:missing=false"}
	for _, tt := range []struct {
		name, golden string
		run          func(*deploy.Stack) error
	}{
		{
			"a preview shows all mistakes", "chart.preview",
			func(s *deploy.Stack) error { return s.Preview(t.Context(), preview...) },
		},
		// The update ends with the first wrong object.
		{"an update without a preview deploys nothing that is wrong", "", func(s *deploy.Stack) error {
			return s.Up(t.Context(), append(preview, "--skip-preview")...)
		}},
		{"a chart that does not exist", "chart.missing", func(s *deploy.Stack) error {
			return s.Preview(t.Context(), "--config", "charts:missing=true")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l.Out.Take()
			err := tt.run(stack)
			labtest.Failed(t, "the run", err)
			shown := l.Out.Take()
			if tt.golden == "" {
				contains(t, shown, "resource 'shop-chart' has a problem", "invoke transform")
			} else {
				diagnostics := ruletest.WithoutSentences(withoutShutdown(labtest.Diagnostics(shown)))
				golden.Equal(t, "testdata/"+tt.golden+".golden", diagnostics)
			}
			if created := createdObjects(shown); len(created) > 0 {
				t.Errorf("created %q", created)
			}
		})
	}
	if err := stack.Destroy(t.Context(), "--skip-preview"); err != nil {
		t.Error(err)
	}
}

// withoutShutdown removes the error of a program that ends after the engine: only some runs have it.
func withoutShutdown(diagnostics string) string {
	return strings.Replace(diagnostics, "    error: an unhandled error occurred: program failed:\n"+
		"    waiting for RPCs: rpc error: code = Unknown desc = resource monitor shut down\n", "", 1)
}
