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
type selection struct {
	exclude  []string
	patterns manifests.Patterns
	config   configuration
}

func (s *selection) flag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.exclude, "exclude", nil,
		"leave out the files of folders that match a `pattern`, as "+ignoreFile+" and .gitignore have them; "+
			"may be given several times")
}

// complete reads the patterns, which come after those of the configuration.
func (s *selection) complete(c configuration) error {
	s.config = c
	patterns, errs := manifests.ParsePatterns(s.exclude)
	s.patterns = patterns
	for i, err := range errs {
		if e, ok := errors.AsType[*manifests.Error](err); ok {
			errs[i] = errors.New("--exclude: " + e.Detail)
		}
	}
	return errors.Join(errs...)
}

// skips are what the command leaves out of folders. Helm charts are among it, as nobody has said
// with which values to render them.
func (s *selection) skips(c *charts) manifests.Skips {
	return manifests.Skips{
		Exclude: s.patterns, IgnoreFile: ignoreFile, Around: s.config.excluded, AroundFolder: s.config.folder,
		Chart: func(path string) {
			if !c.isNamed(path) {
				c.notes = append(c.notes, fmt.Sprintf("skipped: %s: is a Helm chart: name it to render it", path))
			}
		},
	}
}
