package cli

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/internal/core/facts/lives"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/system/clock"
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

// age is a fact with its age. The keys of its JSON are stable, the same as in [built].
type age struct {
	Names   []string `json:"names"`
	Seen    string   `json:"seen"`
	Days    int      `json:"days"`
	Expires string   `json:"expires"`
	Expired bool     `json:"expired"`
	Source  string   `json:"source"`
}

func ages(today time.Time) []age {
	var all []age
	for _, l := range lives.All() {
		all = append(all, age{l.Names, l.Seen, l.Age(today), l.Expires, l.HasExpired(today), l.Source})
	}
	return all
}

// factFormats are the values of the flag --format of version --facts.
var factFormats = map[string]func(io.Writer, []age) error{
	"text": func(w io.Writer, all []age) error {
		var text strings.Builder
		for _, a := range all {
			until := "until"
			if a.Expired {
				until = "EXPIRED"
			}
			fmt.Fprintf(&text, "%s  %4d days  %-7s %s  %s\n    %s\n", a.Seen, a.Days, until, a.Expires,
				strings.Join(a.Names, ", "), a.Source)
		}
		return printEscaped(w, text.String())
	},
	"json": func(w io.Writer, all []age) error { return encodeJSON(w, map[string]any{"facts": all}) },
}

func newVersion() *cobra.Command {
	var format string
	var facts bool
	cmd := &cobra.Command{
		Use:   "version [flags]",
		Short: "Show the version, and the commit that the command was built from",
		Long: `Show the version of the command, the commit that it was built from, and how many rules it has.

With --facts, it shows the tables of what clouds, Windows and Kubernetes support instead: the day on which the source of
each was read, its age, and the day from which a release needs another look: EXPIRED is before that day once it has
come. The oldest come first.

The exit code is 0, or 2 if the command line is wrong.`,
		Example: `  mixedkube version
  mixedkube version --format json
  mixedkube version --facts`,
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
			if facts {
				return factFormats[format](cmd.OutOrStdout(), ages(clock.Today()))
			}
			info, _ := debug.ReadBuildInfo()
			return write(cmd.OutOrStdout(), builtFrom(info))
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().StringVar(&format, "format", "text", "the `format`: text or json")
	cmd.Flags().BoolVar(&facts, "facts", false, "show the tables of facts with their ages and sources")
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
