package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/cli/sources"
	"github.com/mixedkube/mixedkube/internal/core/manifests/repository"
	"github.com/mixedkube/mixedkube/internal/system/userfiles"
)

// history is how the files of a git repository differ from those of an earlier commit.
type history struct {
	root string
	// before are the hashes of the regular files of the commit by their paths in the repository.
	before map[string]string
	// differs are the files that have another content now, are new or no longer exist. The value is false for a
	// file that git does not track.
	differs map[string]bool
	// texts are the contents that the differing manifests and kustomizations had, by their hashes.
	texts map[string][]byte
	// charts are the directories of Helm charts that are new or no longer exist, or whose Chart.yaml differs.
	charts map[string]bool
}

// readHistory compares the working tree of a repository with the merge base of a commit and HEAD.
func readHistory(ctx context.Context, root, ref string) (*history, error) {
	h := &history{
		root: root, before: map[string]string{}, differs: map[string]bool{}, texts: map[string][]byte{},
		charts: map[string]bool{},
	}
	commit, err := h.commit(ctx, ref)
	if err != nil {
		return nil, err
	}
	tree, err := h.lines(ctx, "ls-tree", "-r", "-z", commit)
	if err != nil {
		return nil, err
	}
	for _, line := range tree {
		about, name, _ := strings.Cut(line, "\t")
		if fields := strings.Fields(about); len(fields) == 3 && strings.HasPrefix(fields[0], "100") { // no link
			h.before[name] = fields[2]
		}
	}
	others, err := h.lines(ctx, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	for _, name := range others {
		h.differs[name] = false
	}
	tracked, err := h.lines(ctx, "diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", commit)
	if err != nil {
		return nil, err
	}
	for _, name := range tracked {
		h.differs[name] = true
	}
	for name := range h.differs {
		if path.Base(name) == "Chart.yaml" {
			h.charts[path.Dir(name)] = true
		}
	}
	return h, h.readTexts(ctx)
}

// commit returns the merge base of a commit and HEAD.
func (h *history) commit(ctx context.Context, ref string) (string, error) {
	unknown := fmt.Errorf("is not a commit of the repository %s: name a branch, a tag or a commit that it has; "+
		"a shallow clone may lack it: fetch it with its history", shown(h.root))
	if strings.HasPrefix(ref, "-") {
		return "", unknown
	}
	commit, err := h.lines(ctx, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
	if withoutAnswer(err) {
		return "", unknown
	} else if err != nil {
		return "", err
	}
	base, err := h.lines(ctx, "merge-base", commit[0], "HEAD")
	if withoutAnswer(err) {
		return "", fmt.Errorf("has no common history with HEAD in the repository %s: a shallow clone may lack it: "+
			"fetch it, for example with git fetch --unshallow", shown(h.root))
	} else if err != nil {
		return "", err
	}
	return base[0], nil
}

// withoutAnswer reports whether git has no answer, rather than a problem.
func withoutAnswer(err error) bool {
	exit, is := errors.AsType[*exec.ExitError](err)
	return is && exit.ExitCode() == 1
}

// readTexts reads the contents that differing manifests and kustomizations had.
func (h *history) readTexts(ctx context.Context) error {
	var hashes strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h.differs)) {
		hash := h.before[name]
		if hash != "" && (userfiles.IsManifest(name) || repository.IsKustomization(name)) {
			hashes.WriteString(hash + "\n")
		}
	}
	if hashes.Len() == 0 {
		return nil
	}
	rest, err := h.git(ctx, strings.NewReader(hashes.String()), "cat-file", "--batch")
	if err != nil {
		return err
	}
	for len(rest) > 0 {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		var hash, kind string
		var size int
		if _, err := fmt.Sscan(string(line), &hash, &kind, &size); err != nil || size >= len(after) {
			return fmt.Errorf("git cat-file writes %q", line)
		}
		h.texts[hash], rest = after[:size], after[size+1:]
	}
	return nil
}

// changed reports whether a file has changed, or is new. A file that git does not know is new.
func (h *history) changed(name string) bool {
	if _, differs := h.differs[name]; differs || h.before[name] == "" {
		return true
	}
	for dir := path.Dir(name); len(h.charts) > 0; dir = path.Dir(dir) {
		if h.charts[dir] {
			return true
		}
		if dir == "." {
			break
		}
	}
	return false
}

// changedBelow reports whether any file in a directory or below it differs.
func (h *history) changedBelow(dir string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(h.differs)), func(name string) bool {
		return dir == "." || strings.HasPrefix(name, dir+"/")
	})
}

// text returns the content that a differing file had.
func (h *history) text(name string) (io.ReadCloser, error) {
	text, is := h.texts[h.before[name]]
	if !is {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

// lines returns the output of git: texts that end with a zero byte, or with the end of the output.
func (h *history) lines(ctx context.Context, args ...string) ([]string, error) {
	out, err := h.git(ctx, nil, args...)
	return strings.FieldsFunc(strings.TrimSuffix(string(out), "\n"), func(r rune) bool { return r == 0 }), err
}

// git runs git in the repository. It does not write into the repository.
func (h *history) git(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	program := sources.Program{Name: "git", Stdin: stdin}
	out, messages, err := program.Run(ctx,
		append([]string{"-C", h.root, "--no-optional-locks", "-c", "core.fsmonitor=false"}, args...)...)
	switch {
	case errors.Is(err, sources.ErrNotOnPath):
		return nil, errors.New("there is no git on PATH to read the history: install it, or run without --since")
	case err != nil && len(messages) > 0:
		return nil, fmt.Errorf("git %s: %s", args[0], strings.Join(messages, " "))
	case err != nil:
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}
