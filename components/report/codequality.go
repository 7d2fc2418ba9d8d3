package report

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/manifests"
)

// issue is a finding as GitLab reads it, and Code Climate, whose format it is a part of:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
type issue struct {
	Type        string `json:"type"`
	CheckName   string `json:"check_name"`
	Description string `json:"description"`
	// Content is what Code Climate shows beside the description. GitLab shows the description only.
	Content    *issueContent `json:"content,omitempty"`
	Categories []string      `json:"categories"`
	// Fingerprint tells issues apart: GitLab takes two with the same one for one.
	Fingerprint string        `json:"fingerprint"`
	Severity    string        `json:"severity"`
	Location    issueLocation `json:"location"`
}

// issueContent is Markdown.
type issueContent struct {
	Body string `json:"body"`
}

type issueLocation struct {
	// Path is relative to the root of the repository.
	Path  string     `json:"path"`
	Lines issueLines `json:"lines"`
}

type issueLines struct {
	Begin int `json:"begin"`
}

// unreadable is the check that names what could not be read.
const unreadable = "unreadable"

// issueSeverities are of info, minor, major, critical and blocker. What could not be read is a
// blocker.
var issueSeverities = map[rule.Severity]string{rule.Error: "major", rule.Warning: "minor", rule.Info: "info"}

// WriteCodeQuality writes what GitLab shows in a merge request: an array of the findings that nobody
// silences, as GitLab knows no silenced ones, and of the files that could not be read. Paths are
// written relative to the folder root where they are below it: GitLab takes it as that of the
// repository. A finding without a file is at the first line of [Report.Program].
//
// The fingerprint of a finding is made of its file, object, rule and field, and stays the same when
// the lines of the file change.
func (r *Report) WriteCodeQuality(w io.Writer, root string) error {
	issues := []issue{}
	counts := map[string]int{}
	add := func(file string, line int, check, severity, text string, identity ...string) {
		at := issueLocation{relative(root, file), issueLines{max(1, line)}}
		id := strings.Join(append([]string{at.Path, check}, identity...), "\x00")
		counts[id]++
		one := issue{
			Type: "issue", CheckName: check, Description: fielderrors.Printable(text), Categories: []string{"Bug Risk"},
			Fingerprint: issueFingerprint(id, counts[id]), Severity: severity, Location: at,
		}
		if check != unreadable {
			one.Content = &issueContent{"[" + check + "](" + rule.URL(check) + ")"}
		}
		issues = append(issues, one)
	}
	for _, f := range r.Findings {
		if f.Silenced {
			continue
		}
		file, of := f.File, f.Key()
		if file == "" {
			file, of = r.Program, f.Resource
		}
		add(file, f.Line, f.Rule, issueSeverities[f.Severity], f.subject()+": "+f.String(), of, f.Path)
	}
	for _, problem := range manifests.Flat(r.Problems) {
		// What is of no file has no place to be shown at.
		if inFile, ok := errors.AsType[*manifests.Error](problem); ok {
			add(inFile.File, inFile.Line, unreadable, "blocker", problem.Error(), inFile.Detail)
		}
	}
	return encode(w, issues)
}

// issueFingerprint is that of the n-th issue that is called the same.
func issueFingerprint(identity string, n int) string {
	if n > 1 {
		identity += "\x00" + strconv.Itoa(n)
	}
	sum := sha256.Sum256([]byte(identity))
	return hex.EncodeToString(sum[:16])
}

// relative is relative to a folder where the path is below it. Another path is taken as it is, in its
// shortest form.
func relative(root, file string) string {
	if inside, is := below(root, file); is {
		return inside
	}
	return path.Clean(file)
}
