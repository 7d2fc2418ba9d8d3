package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/report"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/manifests"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// ConfigFile is the name of the file that configures the commands in its directory and below. A command
// looks for it in the working directory and in those above it, up to the root of the git repository:
// the result of a check depends on nothing outside the checkout.
const ConfigFile = ".mixedkube.yaml"

// noConfig is the value of --config for no file.
const noConfig = "off"

// Config is the content of the file [ConfigFile]. Flags take precedence.
type Config struct {
	// Topology is the cluster, as for the flag --topology: the path of a file, relative to the directory of this one,
	// or the topology itself. The default is none.
	Topology any `json:"topology"`
	// Ignore lists findings that do not fail a run: a finding must match every list that an entry sets. The default is
	// none.
	Ignore []report.Ignore `json:"ignore"`
	// Severities override the severities of rules, by their IDs: error, warning or info. The default is the severity of
	// the rule.
	Severities report.Severities `json:"severities"`
	// Exclude are patterns of files that are left out of directories, as in .gitignore. Their paths begin in the
	// directory of this file. The patterns of .mixedkubeignore and of the flag --exclude come after them. The default
	// is none.
	Exclude []string `json:"exclude"`
}

// DecodeConfig decodes parsed YAML or JSON. It returns all errors, with paths.
func DecodeConfig(value any) (Config, field.ErrorList) {
	var c Config
	errs := tree.Decode(&c, value, nil)
	rules := Rules()
	unread := func(key string) bool {
		return slices.ContainsFunc(errs, func(err *field.Error) bool {
			return err.Field == key || strings.HasPrefix(err.Field, key+"[")
		})
	}
	if !unread("ignore") {
		errs = append(errs, report.ValidateIgnores(field.NewPath("ignore"), rules, c.Ignore)...)
	}
	if !unread("severities") {
		errs = append(errs, report.ValidateSeverities(field.NewPath("severities"), rules, c.Severities)...)
	}
	for i, pattern := range c.Exclude {
		if _, wrong := manifests.ParsePatterns([]string{pattern}); len(wrong) > 0 {
			errs = append(errs, field.Invalid(field.NewPath("exclude").Index(i), pattern,
				"is not a valid .gitignore pattern"))
		}
	}
	return c, append(errs, checkTopology(c.Topology, field.NewPath("topology"))...)
}

// checkTopology checks a topology, or the path of one.
func checkTopology(value any, path *field.Path) field.ErrorList {
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		if value != "" {
			return nil
		}
	case map[string]any, map[any]any:
		_, wrong := topology.Decode(value, path)
		return wrong
	}
	return field.ErrorList{field.TypeInvalid(path, value,
		"must be the path of a file, or a topology: an object with pools")}
}

// configuration is the file that a command uses, and its content. The zero value means no file.
type configuration struct {
	Config
	// name is the path for messages, and directory the directory of the file.
	name, dir string
	// excluded are the parsed patterns of Exclude.
	excluded manifests.Patterns
}

// configFlag adds the flag that names the configuration.
func configFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "config", "", "the configuration `file` (default "+ConfigFile+
		" in the working directory or above it); "+noConfig+" for none")
	completeFiles(cmd, "config", "yaml", "yml")
}

// configuration reads the file that the flag names, or the one that it finds.
func (in *input) configuration(flag string) (c configuration, err error) {
	path := flag
	switch flag {
	case noConfig:
		return c, nil
	case stdinPath:
		return c, errors.New("--config -: name a file: its paths are relative to its directory")
	case "":
		if path, err = findConfig(); err != nil || path == "" {
			return c, err
		}
	}
	c.name, c.dir = filepath.ToSlash(path), filepath.Dir(path)
	if err := manifests.DecodeFile(path, "configuration", func(value any) field.ErrorList {
		var wrong field.ErrorList
		c.Config, wrong = DecodeConfig(value)
		return wrong
	}); err != nil {
		return configuration{}, err
	}
	c.excluded, _ = manifests.ParsePatterns(c.Exclude) // they are valid
	return c, nil
}

// findConfig searches for the file from the working directory upwards, and returns its path relative to that, "" if
// there is none.
func findConfig() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for path := ConfigFile; ; path = filepath.Join("..", path) {
		switch _, err := os.Stat(path); {
		case err == nil:
			return path, nil
		case !errors.Is(err, os.ErrNotExist):
			return "", manifests.Named(filepath.ToSlash(path), err)
		}
		_, err := os.Stat(filepath.Join(at, ".git")) // a directory, or a file in a worktree
		if above := filepath.Dir(at); err != nil && above != at {
			at = above
			continue
		}
		return "", nil
	}
}

// topology returns the topology that the flag --topology names, or else the one of the configuration; false if there is
// neither. It writes notes for the user to stderr.
func (in *input) topology(
	ctx context.Context, flag string, c configuration, stderr io.Writer,
) (t topology.Topology, configured bool, err error) {
	source := sources.Source{}
	switch value := c.Topology.(type) {
	case nil:
	case string:
		if !filepath.IsAbs(value) {
			value = filepath.Join(c.dir, value)
		}
		source.Files = []sources.File{{
			Name: filepath.ToSlash(value), Open: func() (io.ReadCloser, error) { return manifests.Open(value) },
		}}
	default:
		t, _ = topology.Decode(value, nil) // it is valid
		configured = true
	}
	if flag != "" {
		source.Files = in.files([]string{flag})
	}
	if len(source.Files) == 0 {
		return t, configured, nil
	}
	t, notes, err := source.Read(ctx)
	for _, note := range notes {
		fmt.Fprintln(stderr, oneLine("note: "+source.Files[0].Name+": "+note))
	}
	return t, true, err
}

// policy decides about findings, by the configuration and a baseline if there is one.
func (c configuration) policy(baseline *report.Baseline) *report.Policy {
	return report.NewPolicy(Rules(), c.Ignore, baseline)
}

// String names the file in a summary.
func (c configuration) String() string {
	if c.name == "" {
		return ""
	}
	return ", with " + oneLine(c.name)
}
