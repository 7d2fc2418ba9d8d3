package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/mixedkube/mixedkube/core/conversion"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// message is a finding or a question about an object.
type message struct {
	conversion.Finding
	// where names the environments, "" if the finding is in all of the file.
	where string
}

// findings returns the questions and the findings about the objects of the file, judged by the configuration.
func (f *adoptedFile) findings(severities report.Severities, policy *report.Policy) (all []message) {
	if f.failed() {
		return nil
	}
	for i, one := range f.look.objects {
		for _, question := range f.questions[i] {
			if !question.Question { // the user has to answer it
				question.Finding = policy.Judge(objectOf(question), severities.Apply(question.Finding)).Finding
			}
			all = append(all, message{Finding: question})
		}
		if one.found == nil {
			continue
		}
		f.done[i] = f.done[i].Judged(one.found.findings)
		of := one.found.of
		for j, finding := range one.found.findings {
			inHook(&finding, one.found.hook)
			judged := policy.Judge(of, severities.Apply(finding))
			judged.Environments = one.found.environments[j]
			judged.InSome = len(judged.Environments) < f.look.environments
			at := one.found.places[j]
			judged.Also = at.also
			all = append(all, message{conversion.Finding{
				Finding: judged.Finding, File: cmp.Or(at.file, f.name()), Line: at.line,
				Kind: of.Kind, Namespace: of.Namespace, Name: of.Name,
			}, where(judged)})
		}
	}
	return all
}

// onceEach returns the messages without repetitions: kustomizations share files, and so what is found in them.
func onceEach(all []message) (once []message) {
	known := map[string]bool{}
	for _, m := range all {
		key := fmt.Sprintf("%s:%d %s %t %s", m.File, m.Line, m.Subject(), m.Question, m.Finding.Finding.String())
		if !known[key] {
			once = append(once, m)
		}
		known[key] = true
	}
	return once
}

// writeMessages writes a line for each finding, and an informational one once for each file. The line of a question is
// about all objects with the same question, for example because they have the same images.
func writeMessages(w io.Writer, all []message) {
	c := colorsOf(w)
	same := map[[2]string][]conversion.Finding{}
	for _, f := range all {
		if f.Question {
			same[questionOf(f)] = append(same[questionOf(f)], f.Finding)
		}
	}
	firstOfGroups(all, func(f message) groupKey { return groupOf(report.Finding{Finding: f.Finding.Finding}, f.File) },
		func(f message, more string) {
			objects := same[questionOf(f)]
			if f.Question && len(objects) == 0 {
				return // the line of the first object has it
			}
			var text strings.Builder
			text.WriteString(adoptLine(f.Finding, c, f.where+more) + "\n")
			if f.Question {
				delete(same, questionOf(f))
				for _, other := range objects[1:] {
					text.WriteString(
						escape.Line(fmt.Sprintf("  also %s:%d: %s", other.File, other.Line, other.Subject())) + "\n",
					)
				}
			}
			_ = printEscaped(w, text.String())
		})
}

func questionOf(f message) [2]string { return [...]string{f.Detail, f.Fix} }
