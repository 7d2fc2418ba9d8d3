package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/core/manifests"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// ignoreFile excludes files of its directory, as a .gitignore does.
const ignoreFile = ".mixedkubeignore"

// selection decides which files of directories are read.
type selection struct {
	exclude  []string
	patterns userfiles.Patterns
	config   configuration
}

func (s *selection) flag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.exclude, "exclude", nil,
		"exclude the files of directories that match a `pattern`, in the syntax of .gitignore; "+
			"can be repeated")
}

// complete reads the patterns, which come after the ones of the configuration.
func (s *selection) complete(c configuration) error {
	s.config = c
	patterns, errs := userfiles.ParsePatterns(s.exclude)
	s.patterns = patterns
	for i, err := range errs {
		if e, ok := errors.AsType[*manifests.Error](err); ok {
			errs[i] = errors.New("--exclude: " + e.Detail)
		}
	}
	return errors.Join(errs...)
}

// skips returns what the command leaves out of directories. It includes Helm charts, because their values are not
// known.
func (s *selection) skips(in *input, c *charts) userfiles.Skips {
	return userfiles.Skips{
		Exclude: s.patterns, IgnoreFile: ignoreFile, ConfigFile: ConfigFile,
		ParentExclude: s.config.excluded, ParentDir: s.config.dir,
		OtherOwner: func(path, reason string) {
			c.notes = append(c.notes, in.leavesOut(path, reason, "pass its patterns with --exclude to use them"))
		},
		Chart: func(path string) {
			if !c.isNamed(path) {
				c.below.addFile(shown(path), 1, repository.Chart, "")
				c.below.count(repository.Chart, 1)
			}
		},
	}
}

func isDirectory(access *disk.Access, path string) bool {
	info, err := access.Stat(path)
	return err == nil && info.IsDir()
}
