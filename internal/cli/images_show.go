package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// showing has the flags and arguments of images show.
type showing struct {
	file         string
	update, json bool
	timeout      time.Duration
	references   []string
}

func newImagesShow(in *input) *cobra.Command {
	var s showing
	cmd := &cobra.Command{
		Use:   "show [flags] IMAGE...",
		Short: "Show what is known about images",
		Long: `Show what is known about images, from the lock file or else from their registries.

The exit code is 0, 1 if an image could not be looked up, and 2 if the lock file cannot be read or the
command line is wrong.`,
		Example: `  mixedkube images show mcr.microsoft.com/windows/nanoserver:ltsc2022
  mixedkube images show --update --json nginx:1.27`,
		RunE: func(cmd *cobra.Command, references []string) error {
			s.references = references
			if len(references) == 0 {
				return errors.New("nothing to show: name images, nginx:1.27 for example")
			}
			if err := checkTimeout(s.timeout); err != nil {
				return err
			}
			return s.run(cmd.Context(), in, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.file, "file", "", "the lock `file` (default "+images.DefaultFile+", if it exists)")
	flags.BoolVar(&s.update, "update", false, "look up locked images too; the lock file does not change")
	flags.BoolVar(&s.json, "json", false, "write JSON")
	timeoutFlag(cmd, &s.timeout)
	in.linksFlag(cmd)
	return cmd
}

func (s showing) run(ctx context.Context, in *input, stdout, stderr io.Writer) error {
	lock, err := in.lock("--file", s.file, stderr)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	missing := slices.DeleteFunc(slices.Clone(s.references), func(reference string) bool {
		return !s.update && lock.Facts(reference) != nil
	})
	looked := map[string]*platform.Facts{}
	complete := true
	for _, result := range lookUp(ctx, in.registries, missing, stderr) {
		if result.Failure != nil {
			complete = false
			note(stderr, result.Failure)
			continue
		}
		looked[result.Reference] = result.Facts
	}
	all := []shownImage{} // not null in JSON
	for _, reference := range s.references {
		facts, isLooked := looked[reference]
		if !isLooked && !slices.Contains(missing, reference) {
			facts = lock.Facts(reference)
		}
		if facts != nil {
			all = append(all, imageOf(reference, !isLooked, facts))
		}
	}
	if s.json {
		err = encodeJSON(stdout, all)
	} else {
		err = writeImages(stdout, all)
	}
	if err == nil && !complete {
		return failed
	}
	return err
}

// shownImage is an image as JSON.
type shownImage struct {
	Image     string          `json:"image"`
	Locked    bool            `json:"locked"`
	Digest    string          `json:"digest"`
	Platforms []shownPlatform `json:"platforms"`
}

type shownPlatform struct {
	OS           string   `json:"os"`
	OSVersion    string   `json:"osVersion"`
	Architecture string   `json:"architecture"`
	Digest       string   `json:"digest"`
	User         string   `json:"user"`
	Entrypoint   []string `json:"entrypoint"`
	Command      []string `json:"command"`
	Layers       []int64  `json:"layers"`
}

func imageOf(reference string, locked bool, facts *platform.Facts) shownImage {
	i := shownImage{Image: spelledOut(reference), Locked: locked, Digest: facts.Digest}
	for _, v := range facts.Variants {
		i.Platforms = append(i.Platforms, shownPlatform{
			string(v.OS), v.OSVersion, v.Architecture, v.Digest, v.User,
			append([]string{}, v.Entrypoint...), append([]string{}, v.Command...), append([]int64{}, v.Layers...),
		})
	}
	return i
}

func writeImages(w io.Writer, all []shownImage) error {
	var b strings.Builder
	for _, i := range all {
		from := "from its registry"
		if i.Locked {
			from = "locked"
		}
		fmt.Fprintf(&b, "%s (%s)\n  %s\n", escape.Line(i.Image), from, escape.Line(i.Digest))
		for _, p := range i.Platforms {
			fmt.Fprintf(&b, "  %s\n", escape.Line(p.String()))
		}
	}
	return printEscaped(w, b.String())
}

// String formats a platform in one line.
func (p shownPlatform) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s", p.OS, p.Architecture)
	if p.OSVersion != "" {
		fmt.Fprintf(&b, " %s", p.OSVersion)
	}
	if len(p.Layers) > 0 {
		var size int64
		for _, layer := range p.Layers {
			size += layer
		}
		fmt.Fprintf(&b, ", %.1f MB in %s", float64(size)/1e6, fielderrors.Count(len(p.Layers), "layer"))
	}
	if p.User != "" {
		fmt.Fprintf(&b, ", user %s", p.User)
	}
	if start := slices.Concat(p.Entrypoint, p.Command); len(start) > 0 {
		fmt.Fprintf(&b, ", starts %q", start)
	}
	return b.String()
}
