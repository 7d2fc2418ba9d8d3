package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/manifests"
)

// ignoreFile says in a folder which of its files are not read, as a .gitignore does.
const ignoreFile = ".mixedkubeignore"

// selection is which files of folders are read.
type selection struct{ exclude []string }

func (s *selection) flag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.exclude, "exclude", nil,
		"leave out the files of folders that match a `pattern`, as "+ignoreFile+" and .gitignore have them; "+
			"may be given several times")
}

// skips are what the command leaves out of folders, beside Helm charts.
func (s *selection) skips() (manifests.Skips, error) {
	patterns, errs := manifests.ParsePatterns(s.exclude)
	for i, err := range errs {
		if e, ok := errors.AsType[*manifests.Error](err); ok {
			errs[i] = errors.New("--exclude: " + e.Detail)
		}
	}
	return manifests.Skips{Exclude: patterns, IgnoreFile: ignoreFile}, errors.Join(errs...)
}

// skippedCharts says which charts were left out of folders.
func skippedCharts(charts []string) string {
	text := ""
	for _, chart := range charts {
		text += oneLine(fmt.Sprintf("skipped: %s: is a Helm chart: name it to render it", chart)) + "\n"
	}
	return text
}
