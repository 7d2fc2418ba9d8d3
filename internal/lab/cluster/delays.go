package cluster

import (
	"fmt"
	"strings"

	nodefast "sigs.k8s.io/kwok/kustomize/stage/node/fast"
	podfast "sigs.k8s.io/kwok/kustomize/stage/pod/fast"
)

// The annotations of pods and nodes that change how long a stage of theirs takes, 500ms for example. KWOK's slower
// stages have the same ones.
const (
	// PodReadyDelay is how long a pod takes to start on its node, and PodDeleteDelay how long it takes to end.
	PodReadyDelay  = "pod-ready.stage.kwok.x-k8s.io/delay"
	PodDeleteDelay = "pod-delete.stage.kwok.x-k8s.io/delay"
	// NodeReadyDelay is how long a node takes to become ready.
	NodeReadyDelay = "node-initialize.stage.kwok.x-k8s.io/delay"
)

// delay is how long a stage takes without an annotation, in milliseconds: less than most clients wait between two
// looks.
const delay = 50

// stages are KWOK's stages of nodes and pods that take no time. Here they take a little, so that a pod that is evicted
// does not end at once.
func stages() []string {
	return []string{
		delayed(nodefast.DefaultNodeInit, NodeReadyDelay),
		delayed(podfast.DefaultPodReady, PodReadyDelay),
		podfast.DefaultPodComplete,
		delayed(podfast.DefaultPodDelete, PodDeleteDelay),
	}
}

// delayed adds a delay to a stage.
func delayed(stage, annotation string) string {
	return strings.Replace(stage, "\n  next:\n", fmt.Sprintf(`
  delay:
    durationMilliseconds: %d
    durationFrom:
      expressionFrom: '.metadata.annotations["%s"]'
  next:
`, delay, annotation), 1)
}
