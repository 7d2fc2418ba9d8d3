package pods

import (
	"maps"

	"github.com/mixedkube/mixedkube/internal/tree"
)

// runner is the name of the container that runs GitHub's runner.
const runner = "runner"

// readRunner gives the container of the runner the image that the spec of a RunnerDeployment has
// beside its containers, which wins over that of the container. The controller adds the container
// if it is missing, and it has the resources and the environment of the spec if there are no others:
// newPod and newRunnerPodWithContainerMode in
// https://github.com/actions/actions-runner-controller/blob/master/controllers/actions.summerwind.net/runner_controller.go
func (p *Pods) readRunner() {
	image := p.Spec["image"]
	if image == nil || image == "" || tree.IsUnknown(p.Spec["containers"]) {
		return
	}
	for i := range p.Containers {
		c := &p.Containers[i]
		if name, _ := tree.Text(c.Spec["name"]); c.List == "containers" && name == runner {
			c.Spec, c.imageAt = maps.Clone(c.Spec), p.Path("image")
			c.Spec["image"] = image
			return
		}
	}
	spec := map[string]any{"name": runner, "image": image}
	given := len(tree.List(p.Spec["containers"]))
	for _, field := range []string{"imagePullPolicy", "resources", "env", "envFrom"} {
		if v := p.Spec[field]; v != nil && given == 0 {
			spec[field] = v
		}
	}
	c := newContainer("containers", given, spec)
	c.at = p.Path()
	p.Containers = append(p.Containers, c)
}
