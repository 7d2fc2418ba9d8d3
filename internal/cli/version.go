package cli

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// built describes a binary. The keys of its JSON are stable: new ones may be added, none changes, and all are always
// present.
type built struct {
	// Version is the version of the module, "(devel)" if it is not known.
	Version string `json:"version"`
	// Commit and Time describe the commit that it was built from, empty if that is not known; Modified is true if the
	// files differed from it.
	Commit   string `json:"commit"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	// Rules is how many rules there are.
	Rules int `json:"rules"`
}

func builtFrom(info *debug.BuildInfo) built {
	b := built{
		Version: version(info), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Rules: len(Rules()),
	}
	if info == nil {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// version returns the version of the module; "(devel)" if it is not known, as in a test.
func version(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// versionFormats are the values of the flag --format of version.
var versionFormats = map[string]func(io.Writer, built) error{
	"text": func(w io.Writer, b built) error {
		return printEscaped(w, b.String())
	},
	"json": func(w io.Writer, b built) error { return encodeJSON(w, b) },
}

func newVersion() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version [flags]",
		Short: "Show the version, and the commit that the command was built from",
		Long: `Show the version of the command, the commit that it was built from, and how many rules it has.

The exit code is 0, or 2 if the command line is wrong.`,
		Example: `  mixedkube version
  mixedkube version --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%s: unexpected argument: this command takes none", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := versionFormats[format]
			if write == nil {
				return fmt.Errorf("--format %s: %s", format,
					fielderrors.Unknown("format", format, slices.Sorted(maps.Keys(versionFormats))))
			}
			info, _ := debug.ReadBuildInfo()
			return write(cmd.OutOrStdout(), builtFrom(info))
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().StringVar(&format, "format", "text", "the `format`: text or json")
	completeFlag(cmd, "format", slices.Sorted(maps.Keys(versionFormats))...)
	return cmd
}

// String formats it for people.
func (b built) String() string {
	text := fmt.Sprintf("mixedkube %s for %s, built with %s\n", b.Version, b.Platform, b.Go)
	if b.Commit != "" {
		text += "commit " + b.Commit
		if b.Time != "" {
			text += " of " + b.Time
		}
		if b.Modified {
			text += ", with changes"
		}
		text += "\n"
	}
	return text + fielderrors.Count(b.Rules, "rule") + "\n"
}
