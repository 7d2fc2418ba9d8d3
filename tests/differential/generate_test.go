package differential

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/tests/internal/oracles"
)

// generator creates one object. The same seed and index result in the same object, so a disagreement of a long run can
// be reproduced alone.
type generator struct {
	*rand.Rand
	spec object
	// lists are the lists of containers that the pod has.
	lists [][]object
	// twoVolumes is true if two volumes have the same name.
	twoVolumes bool
}

// generate returns the object with the index in a run: a pod or a workload that breaks no rules except those of this
// package.
func generate(seed, index uint64) object {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, index)), spec: object{}}
	g.addContainers("containers", 1+g.few(2))
	if g.chance(40) {
		g.addContainers("initContainers", 1+g.few(1))
	} else if g.chance(10) {
		put(g.spec, clone(pick(g, emptyLists)), "initContainers")
	}
	if g.chance(35) {
		g.addContainers("ephemeralContainers", 1+g.few(1))
	} else if g.chance(10) {
		put(g.spec, clone(pick(g, emptyLists)), "ephemeralContainers")
	}
	g.os()
	for range g.few(8) {
		g.set()
	}
	if g.chance(55) {
		g.windowsOptions()
	}
	if g.chance(30) {
		g.hostProcess()
	}
	if g.chance(25) {
		g.ports()
	}
	if g.chance(20) {
		g.volumes()
	}
	if g.chance(10) {
		g.strip()
	}
	if g.chance(5) {
		g.twice()
	}
	if g.chance(3) {
		put(g.spec, clone(pick(g, emptyLists)), "containers")
	}
	return g.wrap()
}

// chance is true with a probability of percent.
func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// few returns a number from 0 to most. Small numbers are more likely.
func (g *generator) few(most int) int { return min(g.IntN(most+1), g.IntN(most+1)) }

func pick[T any](g *generator, of []T) T { return of[g.IntN(len(of))] }

func (g *generator) addContainers(name string, n int) {
	var all list
	var containers []object
	for i := range n {
		c := object{"name": name[:1] + strconv.Itoa(i), "image": "example.com/app"}
		// A sidecar is an init container that is restarted.
		if name == "initContainers" && g.chance(30) {
			c["restartPolicy"] = "Always"
		}
		all = append(all, c)
		containers = append(containers, c)
	}
	g.spec[name] = all
	g.lists = append(g.lists, containers)
}

// os sets spec.os, mostly to windows, because most of the rules are about Windows pods.
func (g *generator) os() {
	switch n := g.IntN(100); {
	case n < 60:
		g.spec["os"] = object{"name": "windows"}
	case n < 70:
	case n < 85:
		g.spec["os"] = object{"name": "linux"}
	default:
		g.spec["os"] = clone(pick(g, strangeOS))
	}
}

// container returns a container of any list. All lists have the same probability.
func (g *generator) container() object { return pick(g, pick(g, g.lists)) }

// set sets one of the settings, in the pod or in one of its containers.
func (g *generator) set() {
	settings, place := podSettings, g.spec
	if g.chance(60) {
		settings, place = containerSettings, g.container()
	}
	s := pick(g, settings)
	put(place, clone(pick(g, s.values)), s.path...)
}

// windowsOptions sets some Windows options to valid and invalid values.
func (g *generator) windowsOptions() {
	for range 1 + g.few(3) {
		place := g.spec
		if g.chance(75) {
			place = g.container()
		}
		switch n := g.IntN(20); {
		case n == 0:
			put(place, clone(pick(g, emptyOptions)), "securityContext", "windowsOptions")
		case n < 5:
			put(place, pick(g, specNames), "securityContext", "windowsOptions", "gmsaCredentialSpecName")
		case n < 8:
			values := specs
			if g.chance(25) {
				values = longSpecs
			}
			put(place, pick(g, values), "securityContext", "windowsOptions", "gmsaCredentialSpec")
		default:
			put(place, g.userName(), "securityContext", "windowsOptions", "runAsUserName")
		}
	}
}

// userName returns a limit of the rules or a random name.
func (g *generator) userName() any {
	switch n := g.IntN(10); {
	case n < 2:
		return pick(g, emptyNames)
	case n < 4:
		return pick(g, userNames)
	case n < 6:
		return pick(g, domains) + `\` + pick(g, users)
	case n < 7:
		return pick(g, users)
	default:
		var name strings.Builder
		for range 1 + g.few(12) {
			name.WriteString(pick(g, nameParts))
		}
		return name.String()
	}
}

// hostProcess sets hostProcess on the pod or on some containers, with or without the host's network.
func (g *generator) hostProcess() {
	choices := list{missing, missing, nil, true, false}
	if g.chance(50) {
		// Set no different values: otherwise nearly all of these pods would break the same two rules.
		choices = list{missing, nil, true}
	}
	path := []string{"securityContext", "windowsOptions", "hostProcess"}
	put(g.spec, pick(g, choices), path...)
	for _, containers := range g.lists {
		for _, c := range containers {
			put(c, pick(g, choices), path...)
		}
	}
	put(g.spec, pick(g, list{missing, nil, false, true, true, true}), "hostNetwork")
}

// ports adds ports to containers, without conflicts between them.
func (g *generator) ports() {
	put(g.spec, pick(g, list{missing, nil, false, true, true, true}), "hostNetwork")
	number := int64(8000)
	for _, name := range []string{"containers", "initContainers"} {
		containers, _ := g.spec[name].(list)
		for _, c := range containers {
			ports := list{}
			for range g.few(3) {
				number++
				port := object{"containerPort": number}
				put(port, pick(g, list{missing, missing, nil, int64(0), number, number, number + 10000}), "hostPort")
				put(port, pick(g, list{missing, missing, missing, nil, "TCP", "UDP", "SCTP"}), "protocol")
				ports = append(ports, port)
			}
			put(c.(object), pick(g, list{ports, ports, ports, ports, missing, nil}), "ports")
		}
	}
}

// volumes adds volumes and mounts, some of volumes that the pod does not have, and gives two of them the same name.
func (g *generator) volumes() {
	volumes := list{}
	for _, name := range []string{"data", "claim", "logs"} {
		if g.chance(70) {
			volume := object{"name": name}
			if name == "claim" {
				volume["persistentVolumeClaim"] = object{"claimName": name}
			}
			volumes = append(volumes, volume)
		}
	}
	if g.twoVolumes = len(volumes) > 0 && g.chance(10); g.twoVolumes {
		volumes = append(volumes, object{"name": volumes[0].(object)["name"]})
	}
	put(g.spec, pick(g, list{volumes, volumes, volumes, volumes, volumes, missing, nil}), "volumes")
	for range 1 + g.few(2) {
		put(g.container(), list{
			object{"name": pick(g, list{"data", "logs", "template"}), "mountPath": "/a"},
			object{"name": pick(g, list{"data", "logs", "date"}), "mountPath": "/b"},
		}, "volumeMounts")
	}
	if g.chance(10) {
		put(g.container(), list{object{"name": pick(g, list{"claim", "disk"}), "devicePath": "/c"}}, "volumeDevices")
	}
}

// twice gives a container the name of another one.
func (g *generator) twice() { g.container()["name"] = g.container()["name"] }

// strip replaces a security context with an empty one.
func (g *generator) strip() {
	place := g.spec
	if g.chance(75) {
		place = g.container()
	}
	put(place, clone(pick(g, emptyOptions)), "securityContext")
}

// wrap returns a Pod, or a workload with the pod in its template.
func (g *generator) wrap() object {
	if g.chance(60) {
		return object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": "it"}, "spec": g.spec}
	}
	labels, match := object{"app": "it"}, object{"app": "it"}
	selector := object{"matchLabels": match}
	if g.chance(20) {
		put(match, pick(g, list{"it", "other"}), "app")
		put(labels, pick(g, list{missing, "it", "web"}), "tier")
		put(selector, pick(g, list{
			missing, nil,
			list{},
			list{object{"key": "tier", "operator": "Exists"}},
			list{object{"key": "tier", "operator": "NotIn", "values": list{"web"}}},
		}), "matchExpressions")
	}
	pod := object{"metadata": object{"labels": labels}, "spec": g.spec}
	w := pick(g, []struct {
		apiVersion, kind, body string
		content                object
	}{
		{"apps/v1", "Deployment", "spec", object{"selector": selector, "template": pod}},
		{"apps/v1", "ReplicaSet", "spec", object{"selector": selector, "template": pod}},
		{"apps/v1", "DaemonSet", "spec", object{"selector": selector, "template": pod}},
		{"apps/v1", "StatefulSet", "spec", object{"selector": selector, "serviceName": "it", "template": pod}},
		{"v1", "ReplicationController", "spec", object{"selector": maps.Clone(match), "template": pod}},
		{"v1", "PodTemplate", "template", pod},
		{"batch/v1", "Job", "spec", object{"template": pod}},
		{"batch/v1", "CronJob", "spec", object{
			"schedule": "0 0 * * *", "jobTemplate": object{"spec": object{"template": pod}},
		}},
	})
	if w.kind == "Job" || w.kind == "CronJob" {
		g.spec["restartPolicy"] = "Never"
		g.jobSelector(w.kind, w.content, selector)
	}
	// With a template, the API server counts the volumes in another order.
	if w.kind == "StatefulSet" && !g.twoVolumes && g.chance(30) {
		w.content["volumeClaimTemplates"] = list{object{"metadata": object{"name": "template"}, "spec": object{
			"accessModes": list{"ReadWriteOnce"}, "resources": object{"requests": object{"storage": "1Gi"}},
		}}}
	}
	return object{"apiVersion": w.apiVersion, "kind": w.kind, "metadata": object{"name": "it"}, w.body: w.content}
}

// jobSelector gives a Job, or the Jobs of a CronJob, a selector.
func (g *generator) jobSelector(kind string, job, selector object) {
	if !g.chance(30) {
		return
	}
	if kind == "CronJob" {
		job = job["jobTemplate"].(object)["spec"].(object)
	}
	put(job, pick(g, list{missing, nil, selector, selector}), "selector")
	if kind == "CronJob" || job["selector"] != nil {
		put(job, pick(g, list{missing, nil, false, true}), "manualSelector")
	}
}

// put sets the value at the path, and creates the objects on the path. If the value is missing, it changes nothing.
func put(in object, value any, path ...string) {
	if _, is := value.(unset); is {
		return
	}
	for _, key := range path[:len(path)-1] {
		next, ok := in[key].(object)
		if !ok {
			next = object{}
			in[key] = next
		}
		in = next
	}
	in[path[len(path)-1]] = value
}

// clone copies a tree.
func clone(value any) any {
	switch value := value.(type) {
	case object:
		c := make(object, len(value))
		for key, v := range value {
			c[key] = clone(v)
		}
		return c
	case list:
		c := slices.Clone(value)
		for i, v := range c {
			c[i] = clone(v)
		}
		return c
	default:
		return value
	}
}

func TestPodsAreReproducible(t *testing.T) {
	t.Parallel()
	distinct := map[string]bool{}
	const pods = 1000
	for index := range uint64(pods) {
		first, again := generate(7, index), generate(7, index)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatalf("pod %d: -first +again:\n%s", index, diff)
		}
		for _, object := range []object{first, generate(8, index)} {
			line, err := oracles.Question(object)
			if err != nil {
				t.Fatal(err)
			}
			distinct[string(line)] = true
		}
	}
	// Some small pods are equal.
	if len(distinct) < pods*3/2 {
		t.Errorf("only %d of %d pods differ", len(distinct), 2*pods)
	}
}
