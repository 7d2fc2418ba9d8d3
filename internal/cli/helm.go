package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/system/disk"
)

// helm has the options of `helm template` for a chart.
type helm struct {
	values, set, setString []string
	release, namespace     string
	// timeout is how long it may take; the default is [sources.DefaultTimeout].
	timeout time.Duration
}

// explicit returns the names of the flags that are set.
func (h helm) explicit() string {
	var flags []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"--values", len(h.values) > 0},
		{"--set", len(h.set) > 0},
		{"--set-string", len(h.setString) > 0},
		{"--release-name", h.release != ""},
		{"--namespace", h.namespace != ""},
	} {
		if f.set {
			flags = append(flags, f.name)
		}
	}
	return strings.Join(flags, ", ")
}

// template runs `helm template` for a chart on this machine, and returns its output and the lines of its standard
// error. An error has the lines too.
func (h helm) template(
	ctx context.Context, access *disk.Access, chart, kubernetesVersion string,
) (text string, messages []string, err error) {
	// helm follows links wherever they lead, and a template can print any file of its chart.
	if err := errors.Join(access.CheckLinks(chart), checkNames(access, chart)); err != nil {
		return "", nil, err
	}
	// The settings of git can contain credentials, and the chart's own .helmignore decides whether helm reads them.
	at, remove, err := access.WithoutGit(ctx, chart, maxCopy)
	if err != nil {
		return "", nil, err
	}
	defer remove()
	args, err := h.args(access, at, kubernetesVersion)
	if err != nil {
		return "", nil, err
	}
	program := sources.Program{Name: "helm", Timeout: h.timeout, Memory: sources.MaxMemory}
	output, messages, err := program.Run(ctx, args...)
	if at != filepath.Clean(chart) {
		for i := range messages {
			messages[i] = strings.ReplaceAll(messages[i], at, shown(chart))
		}
	}
	switch {
	case errors.Is(err, sources.ErrNotOnPath):
		return "", nil, fmt.Errorf("%s: is a Helm chart, and there is no helm on PATH to render it: "+
			"install helm, or pipe the output of `helm template` into this command", shown(chart))
	case errors.Is(err, sources.ErrTooMuch), errors.Is(err, sources.ErrMemory):
		return "", nil, fmt.Errorf("%s: helm template %w", shown(chart), err)
	case err != nil && slices.ContainsFunc(messages, isUnknownFlag):
		return "", nil, fmt.Errorf("%s: helm template: the helm on PATH has no %s: install helm 3.16 or newer",
			shown(chart), withoutSchemas)
	case err != nil:
		return "", nil, failure(shown(chart), messages, err)
	}
	return string(output), messages, nil
}

// maxCopy is how many bytes a chart with a .git may have besides: far more than helm accepts, because what .helmignore
// leaves out counts, too.
const maxCopy = 1 << 30

// withoutSchemas has helm not compare the values with the chart's values.schema.json: a reference in a schema makes helm
// open files anywhere, and addresses. helm has the flag since 3.16
// (https://helm.sh/docs/helm/helm_template/).
const withoutSchemas = "--skip-schema-validation"

func isUnknownFlag(line string) bool { return strings.Contains(line, "unknown flag: "+withoutSchemas) }

// args returns the arguments of helm. The value of a flag is in the same argument as the flag, and the paths of the
// command line become absolute: no value can become another flag, or an address.
func (h helm) args(access *disk.Access, chart, kubernetesVersion string) ([]string, error) {
	at, err := filepath.Abs(chart)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(chart), err)
	}
	args := []string{"template", "--include-crds", withoutSchemas}
	if kubernetesVersion != "" {
		args = append(args, "--kube-version="+kubernetesVersion)
	}
	if h.namespace != "" {
		args = append(args, "--namespace="+h.namespace)
	}
	var errs []error
	for _, file := range h.values {
		value, err := valuesFile(access, file)
		errs = append(errs, err)
		args = append(args, "--values="+value)
	}
	for _, set := range h.set {
		args = append(args, "--set="+set)
	}
	for _, set := range h.setString {
		args = append(args, "--set-string="+set)
	}
	args = append(args, "--")
	if h.release != "" {
		args = append(args, h.release)
	}
	return append(args, at), errors.Join(errs...)
}

// valuesFile returns a file as helm's flag takes it: an element of a list that is separated by commas.
func valuesFile(access *disk.Access, file string) (string, error) {
	info, err := access.Stat(file)
	switch {
	case file == stdinPath:
		return "", errors.New("--values -: name a file: helm cannot read standard input here")
	case err != nil:
		return "", fmt.Errorf("--values: %w", disk.Named(shown(file), err))
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("--values: %s: not a regular file", shown(file))
	}
	at, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("--values: %s: %w", shown(file), err)
	}
	var quoted bytes.Buffer
	w := csv.NewWriter(&quoted)
	if err := w.Write([]string{at}); err != nil {
		return "", fmt.Errorf("--values: %s: %w", shown(file), err)
	}
	w.Flush()
	return strings.TrimSuffix(quoted.String(), "\n"), w.Error()
}

// failure returns why helm has failed, in helm's words.
func failure(chart string, messages []string, err error) error {
	// This command has no such flag.
	messages = slices.DeleteFunc(messages, func(line string) bool {
		return strings.HasPrefix(line, "Use --debug flag")
	})
	if len(messages) == 0 {
		return fmt.Errorf("%s: helm template: %w", chart, err)
	}
	var errs []error
	for _, line := range messages {
		errs = append(errs, fmt.Errorf("%s: helm template: %s", chart, strings.TrimPrefix(line, "Error: ")))
	}
	return errors.Join(errs...)
}
