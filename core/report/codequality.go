package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/manifests"
)

// issue is a finding in the format of GitLab, which is a subset of Code Climate's:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
type issue struct {
	Type        string `json:"type"`
	CheckName   string `json:"check_name"`
	Description string `json:"description"`
	// Content is shown by Code Climate. GitLab shows only the description.
	Content    *issueContent `json:"content,omitempty"`
	Categories []string      `json:"categories"`
	// Fingerprint identifies an issue: GitLab treats two issues with the same fingerprint as one.
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

// unreadable is the check name for files that could not be read.
const unreadable = "unreadable"

// issueSeverities use the levels info, minor, major, critical and blocker. A file that could not be read is a blocker.
var issueSeverities = map[rule.Severity]string{rule.Error: "major", rule.Warning: "minor", rule.Info: "info"}

// WriteCodeQuality writes the report that GitLab shows in a merge request: an array of the findings that are not
// suppressed, because GitLab does not know suppressed ones, and of the files that could not be read. Paths below the
// directory root are written relative to it: GitLab expects paths relative to the repository. A finding without a file
// is reported at the first line of [Report.Program].
//
// The fingerprint of a finding is computed from its file, object, rule and field. It stays the same when the lines of
// the file change.
func (r *Report) WriteCodeQuality(w io.Writer, root string) error {
	issues := []issue{}
	same := identities{}
	add := func(file string, line int, check, severity, text string, identity ...string) {
		at := issueLocation{relative(root, file), issueLines{max(1, line)}}
		identity = append([]string{at.Path, check}, identity...)
		one := issue{
			Type: "issue", CheckName: check, Description: escape.CodeQuality(fielderrors.Printable(text)),
			Categories:  []string{"Bug Risk"},
			Fingerprint: issueFingerprint(identity, same.count(identity...)), Severity: severity, Location: at,
		}
		if check != unreadable {
			one.Content = &issueContent{"[" + check + "](" + rule.URL(check) + ")"}
		}
		issues = append(issues, one)
	}
	for _, f := range r.Findings {
		if f.Suppressed {
			continue
		}
		file := cmp.Or(f.File, r.Program)
		add(file, f.Line, f.Rule, issueSeverities[f.Severity], f.subject()+": "+f.String(), f.subjectID(), f.Path)
	}
	for _, problem := range manifests.Flat(r.Problems) {
		// A finding without a file cannot be shown anywhere.
		if inFile, ok := errors.AsType[*manifests.Error](problem); ok {
			add(inFile.File, inFile.Line, unreadable, "blocker", problem.Error(), inFile.Detail)
		}
	}
	return encode(w, issues)
}

// issueFingerprint returns the fingerprint of the n-th issue with the same identity.
func issueFingerprint(identity []string, n int) string {
	if n > 1 {
		identity = append(identity, strconv.Itoa(n))
	}
	sum := sha256.Sum256([]byte(strings.Join(identity, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// relative returns a path relative to root if it is below root. It returns any other path cleaned.
func relative(root, file string) string {
	if inside, is := below(root, file); is {
		return inside
	}
	return path.Clean(file)
}
