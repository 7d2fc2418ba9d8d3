package conversion

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// uncompleted asks the user to add the fields that cannot be added here: to pods of an unknown kind, or to the
// templates of an Argo Workflow or of a configuration of GitLab Runner. A question is about all of them that
// need the same.
func uncompleted(it *item) (questions []preflight.Finding) {
	var others [][]string
	for _, path := range it.decision.Unsupported {
		f := uncompletedAt(it, path)
		same := func(of preflight.Finding) bool { return of.Detail == f.Detail && of.Fix == f.Fix }
		if i := slices.IndexFunc(questions, same); i >= 0 {
			others[i] = append(others[i], path)
			continue
		}
		questions, others = append(questions, f), append(others, nil)
	}
	for i, paths := range others {
		if len(paths) > 0 {
			questions[i].Fix += "; do the same at " + fewOf(paths)
		}
	}
	return questions
}

// fewOf lists the first of several paths.
func fewOf(paths []string) string {
	const few = 3
	if n := len(paths); n > few {
		paths = append(paths[:few:few], fmt.Sprintf("%d more", n-few))
	}
	last := len(paths) - 1
	if last == 0 {
		return paths[0]
	}
	return strings.Join(paths[:last], ", ") + " and " + paths[last]
}

func uncompletedAt(it *item, path string) preflight.Finding {
	f := preflight.Finding{Severity: preflight.Warning, Path: path}
	if len(it.pods.Templates) == 0 {
		f.Detail = fmt.Sprintf("the pods name no operating system, and a %s of %s is not completed, because only its "+
			"controller knows which pods it creates", it.Kind, it.APIVersion)
		f.Fix = selectOS(platform.LinuxOS) + " for example"
		return f
	}
	i := slices.IndexFunc(it.pods.Templates, func(p *pods.Pods) bool { return p.Path() == path })
	p, needs := it.pods.Templates[i], it.decision.Templates[i]
	what := "the template"
	why := fmt.Sprintf("a %s is completed only in its spec, which holds for all templates alike", it.Kind)
	switch {
	case p.OfRunnerConfig():
		what, why = "the configuration", "the configuration of GitLab Runner is text, which is not completed"
	case !p.OfWorkflow():
		why = fmt.Sprintf("a %s is not completed, because others use its templates without its spec", it.Kind)
	}
	if needs.OS == "" {
		f.Detail, f.Fix = "the pods name no operating system, and "+why, selectOS(platform.LinuxOS)+" for example"
		return f
	}
	known := "the pods are for " + needs.OS.DisplayName() + " by " + needs.Source
	switch selector, tolerations := missing(p, needs.Edits); {
	case len(selector) > 0:
		f.Detail = known + ", but lack part of the node selector, and " + why
		f.Fix = "add to " + what + " the node selector " + strings.Join(selector, ", ")
		if len(tolerations) > 0 {
			f.Fix += " and the toleration of " + strings.Join(tolerations, ", ")
		}
	case len(tolerations) > 0:
		f.Detail = known + ", but do not tolerate the taint of its nodes, and " + why
		f.Fix = "add to " + what + " the toleration of " + strings.Join(tolerations, ", ")
	default:
		f.Detail, f.Fix = known+", and "+why, selectOS(needs.OS)
	}
	return f
}

func selectOS(os platform.OS) string {
	return fmt.Sprintf("select their nodes yourself, with the node selector %s: %s", corev1.LabelOSStable, os)
}

// missing returns the node selectors and tolerations that edits would add.
func missing(p *pods.Pods, edits []mutate.Edit) (selector, tolerations []string) {
	for _, e := range edits {
		switch keys := e.Path[len(p.SpecPath()):]; {
		case keys[0] == "nodeSelector" && len(keys) == 2:
			selector = append(selector, fmt.Sprintf("%s: %v", keys[1], e.Value))
		case keys[0] == "tolerations":
			for _, v := range tree.List(e.Value) {
				t := tree.Map(v)
				tolerations = append(tolerations, fmt.Sprintf("%v=%v:%v", t["key"], t["value"], t["effect"]))
			}
		}
	}
	return selector, tolerations
}
