package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/tests/internal/layouts"
)

// perMatching is the number of files that are recorded with each matching.
const perMatching = 60

// images are images of Windows Server 2022 whose names tell the release.
var images = []string{
	"mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
	"mcr.microsoft.com/windows/servercore:ltsc2022",
	"mcr.microsoft.com/windows/nanoserver:ltsc2022",
	"mcr.microsoft.com/dotnet/framework/aspnet:4.8-windowsservercore-ltsc2022",
	"mcr.microsoft.com/dotnet/framework/runtime:4.8.1-windowsservercore-ltsc2022",
	"mcr.microsoft.com/dotnet/aspnet:8.0-nanoserver-ltsc2022",
	"mcr.microsoft.com/dotnet/runtime:8.0-windowsservercore-ltsc2022",
	"mcr.microsoft.com/powershell:lts-windowsservercore-ltsc2022",
	"mcr.microsoft.com/windows/server:ltsc2022",
}

// recordFiles writes manifests, and lets the command of the checkout complete them.
func recordFiles(ctx context.Context, checkout string) error {
	temp, err := os.MkdirTemp("", "pins-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	command := filepath.Join(temp, "mixedkube")
	if err := run(ctx, checkout, "go", "build", "-o", command, "."); err != nil {
		return err
	}
	for _, matching := range matchings {
		for _, classes := range []bool{false, true} {
			before := filepath.Join(temp, fmt.Sprintf("%s-%t", matching, classes))
			if err := writeFiles(before, matching, classes); err != nil {
				return err
			}
			args := []string{
				"adopt", "--topology", filepath.Join(data, "2022.yaml"), "--matching", matching,
				"--out", filepath.Join(data, "files", matching), before,
			}
			if classes {
				args = append(args, "--runtime-classes")
			}
			if err := run(ctx, "", command, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeFiles writes the manifests with a matching that get a RuntimeClass, or those that get none.
func writeFiles(dir, matching string, classes bool) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	kinds := layouts.Kinds()
	// Whether a selector with a label of its own moves is a question.
	all := slices.DeleteFunc(layouts.All(), func(l layouts.Layout) bool { return l.Name == layouts.OwnLabel().Name })
	for i := range perMatching {
		if (i%5 == 1) != classes {
			continue
		}
		kind := i
		if matching == "strict" {
			kind++ // so that each layout has each kind
		}
		w := layouts.Workload{
			Kind: kinds[kind%len(kinds)], Name: fmt.Sprintf("%s-%02d", matching, i), Image: images[i%len(images)],
		}
		layout := all[i%len(all)]
		text, err := layout.Write(w)
		if err != nil {
			return err
		}
		if i%3 == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if err := os.WriteFile(filepath.Join(dir, layout.File(w)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// run runs a program in a directory, "" for the current one.
func run(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return nil
}
