package pods

import (
	"maps"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// runner is the name of the container that runs GitHub's runner.
const runner = "runner"

// readRunner sets the image of the runner's container to the image in the spec of a RunnerDeployment,
// which wins over the image of the container. The controller adds the container if it is missing, with
// the resources and the environment of the spec if there are no other containers:
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
	others := len(tree.List(p.Spec["containers"]))
	for _, field := range []string{"imagePullPolicy", "resources", "env", "envFrom"} {
		if v := p.Spec[field]; v != nil && others == 0 {
			spec[field] = v
		}
	}
	c := newContainer("containers", others, spec)
	c.at = p.Path()
	p.Containers = append(p.Containers, c)
}
