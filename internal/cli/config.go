package cli

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/system/disk"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// ConfigFile is the name of the file that configures the commands in its directory and below. A command
// looks for it in the working directory and in those above it, up to the root of the git repository:
// the result of a check depends on nothing outside the checkout. It does not read a file of another user, unless the
// named path belongs to that user, too.
const ConfigFile = ".mixedkube.yaml"

// noConfig is the value of --config for no file.
const noConfig = "off"

// Config is the content of the file [ConfigFile]. Flags take precedence.
type Config struct {
	// Topology is the cluster, as for the flag --topology: the path of a file, relative to the directory of this one,
	// or the topology itself. The default is none.
	Topology any `json:"topology"`
	// To is what the cluster is planned to become, as for the flag --to of check, in the same forms as Topology. Other
	// commands do not use it. The default is none.
	To any `json:"to"`
	// Ignore lists findings that do not fail a run: a finding must match every list that an entry sets. The default is
	// none.
	Ignore []report.Ignore `json:"ignore"`
	// Severities override the severities of rules, by their IDs: error, warning or info. The default is the severity of
	// the rule.
	Severities report.Severities `json:"severities"`
	// Environments are the parts of the repository that are for one cluster each. A check reports findings of each with
	// its name, and files of none with the topology above. The default is none.
	Environments []Environment `json:"environments"`
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
	// Each is compared with each finding.
	if n := patternsOf(c.Ignore); n > userfiles.MaxPatterns {
		errs = append(errs, field.TooMany(field.NewPath("ignore"), n, userfiles.MaxPatterns))
		c.Ignore = nil
	}
	if !unread("ignore") {
		errs = append(errs, report.ValidateIgnores(field.NewPath("ignore"), rules, c.Ignore)...)
	}
	if !unread("severities") {
		errs = append(errs, report.ValidateSeverities(field.NewPath("severities"), rules, c.Severities)...)
	}
	if n := len(c.Exclude); n > userfiles.MaxPatterns {
		errs = append(errs, field.TooMany(field.NewPath("exclude"), n, userfiles.MaxPatterns))
		c.Exclude = c.Exclude[:userfiles.MaxPatterns]
	}
	_, wrong := parsePatterns(c.Exclude, field.NewPath("exclude"))
	errs = append(errs, wrong...)
	_, wrong = checkEnvironments(c.Environments, field.NewPath("environments"))
	errs = append(errs, wrong...)
	errs = append(errs, checkTopology(c.Topology, field.NewPath("topology"))...)
	return c, append(errs, checkTopology(c.To, field.NewPath("to"))...)
}

// patternsOf returns the number of ignores, or of their patterns if they have several.
func patternsOf(ignores []report.Ignore) int {
	n := 0
	for _, ignore := range ignores {
		n += max(1, len(ignore.Namespaces)+len(ignore.Resources))
	}
	return n
}

// checkTopology checks a topology, or the path of one.
func checkTopology(value any, path *field.Path) field.ErrorList {
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		switch {
		case strings.Contains(value, "://"):
			return field.ErrorList{field.Invalid(path, value, "must be the path of a file: addresses are not read")}
		case value != "":
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
	// found is true if the file was not named, but found.
	found bool
	// excluded are the parsed patterns of Exclude, files those of each environment.
	excluded userfiles.Patterns
	files    []userfiles.Patterns
}

// configFlag adds the flag that names the configuration.
func configFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "config", "", "the configuration `file` (default "+ConfigFile+
		" in the working directory or above it); "+noConfig+" for none")
	completeFiles(cmd, "config", "yaml", "yml")
}

// configuration reads the file that the flag names, or the one that it finds. It writes to stderr which ones it finds
// and does not read.
func (in *input) configuration(flag string, stderr io.Writer) (c configuration, err error) {
	path := flag
	switch flag {
	case noConfig:
		return c, nil
	case stdinPath:
		return c, errors.New("--config -: name a file: its paths are relative to its directory")
	case "":
		c.found = true
		var ignored []disk.Ignored
		path, ignored, err = in.access.FindAbove(ConfigFile)
		for _, file := range ignored {
			printLine(stderr, in.leavesOut(file.Path, file.Reason, "name it with --config to read it"))
		}
		if err != nil || path == "" {
			return c, err
		}
	}
	c.name, c.dir = filepath.ToSlash(path), filepath.Dir(path)
	if err := in.document(path, "configuration", func(value any) field.ErrorList {
		var wrong field.ErrorList
		c.Config, wrong = DecodeConfig(value)
		return wrong
	}); err != nil {
		return configuration{}, err
	}
	c.excluded, _ = userfiles.ParsePatterns(c.Exclude) // they are valid
	c.files, _ = checkEnvironments(c.Environments, nil)
	in.environmentsOf = c.environmentsOf()
	printLines(stderr, c.missingPaths())
	return c, nil
}

// openTopology opens the file that the configuration names. A configuration that was found is as
// trusted as its repository, and names only files in it. The flag names the same topology on the command line.
func (in *input) openTopology(c configuration, path, flag string) (io.ReadCloser, error) {
	if !c.found {
		return in.access.Open(path)
	}
	r, err := in.access.OpenInside(c.dir, path)
	if refusal, is := errors.AsType[*disk.RefusedError](err); is {
		refusal.Detail += ", or name the topology with " + flag
	}
	return r, err
}

// topology returns the topology that the flag --topology names, or else the one of the configuration; false if there is
// neither. It writes notes for the user to stderr.
func (in *input) topology(
	ctx context.Context, flag string, c configuration, stderr io.Writer,
) (t topology.Topology, configured bool, err error) {
	return in.topologyOf(ctx, named{"--topology", flag, c.Topology}, c, stderr)
}

// named is a topology that a flag or the configuration names: the flag, its value, and the value in the configuration.
type named struct {
	flag, path string
	configured any
}

// fileOf returns the file of a topology. It returns false if the configuration has the topology itself, or if there is
// none.
func (in *input) fileOf(from named, c configuration) (file sources.File, is bool) {
	if from.path != "" {
		return in.files([]string{from.path})[0], true
	}
	path, is := from.configured.(string)
	if !is {
		return file, false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, path)
	}
	return sources.File{
		Name: filepath.ToSlash(path),
		Open: func() (io.ReadCloser, error) { return in.openTopology(c, path, from.flag) },
	}, true
}

func (in *input) topologyOf(
	ctx context.Context, from named, c configuration, stderr io.Writer,
) (t topology.Topology, configured bool, err error) {
	source := sources.Source{}
	if file, isFile := in.fileOf(from, c); isFile {
		source.Files = []sources.File{file}
	} else if from.configured != nil {
		t, _ = topology.Decode(from.configured, nil) // it is valid
		configured = true
	}
	if len(source.Files) == 0 {
		return t, configured, nil
	}
	in.watch.reads(source.Files[0].Name)
	t, notes, err := source.Read(ctx)
	in.watch.hasRead(source.Files[0].Name)
	for _, note := range notes {
		printLine(stderr, "note: "+source.Files[0].Name+": "+note)
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
	return ", with " + escape.Line(c.name)
}
