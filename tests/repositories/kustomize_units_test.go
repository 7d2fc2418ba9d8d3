package repositories_test

import (
	"fmt"
	"strings"
)

// change adds units to a kustomization.
func (t *kustomizeTree) change(d *kustomizeDir, n int) {
	kinds := []func(*kustomizeDir){
		t.patchFile,
		t.patchFile,
		t.patchInPlace,
		t.patchInPlace,
		t.oldPatch,
		t.oldJSONPatch,
		t.images,
		t.replicas,
		t.labels,
		t.annotations,
		t.namespace,
		t.affixes,
		t.generators,
		t.replacements,
		t.severalPatches,
	}
	for range n {
		kinds[t.random.IntN(len(kinds))](d)
	}
}

// add adds a unit, unless the field has only one value and has it.
func (d *kustomizeDir) add(u *unit) {
	for _, one := range d.units {
		if one.field == u.field && !u.isList {
			return
		}
	}
	d.units = append(d.units, u)
}

// merge returns a strategic merge patch of a workload.
func (t *kustomizeTree) merge(w workload) string {
	head := fmt.Sprintf("apiVersion: apps/v1\nkind: %s\nmetadata:\n  name: %s\nspec:\n", w.kind, w.name)
	pod := "  template:\n    spec:\n"
	n := t.next()
	switch t.random.IntN(9) {
	case 0:
		return head + pod + "      hostNetwork: true\n"
	case 1:
		return head + pod + fmt.Sprintf("      securityContext:\n        fsGroup: %d\n", n)
	case 2:
		return head + pod + fmt.Sprintf(
			"      containers:\n        - name: c0\n          image: registry.example.com/c0:%d\n",
			n,
		)
	case 3: // it comes before the others
		return head + pod + fmt.Sprintf(
			"      containers:\n        - name: n%d\n          image: registry.example.com/n:%d\n"+
				"          securityContext: {privileged: true}\n",
			n,
			n,
		)
	case 4:
		return head + pod + "      securityContext: null\n"
	case 5:
		return head + pod + "      containers:\n        - name: c1\n          $patch: delete\n"
	case 6:
		return head + pod + fmt.Sprintf(
			"      containers:\n        - name: c0\n          securityContext:\n            runAsUser: %d\n",
			n,
		)
	case 7:
		return head + pod + fmt.Sprintf(
			"      tolerations:\n        - {key: k%d, operator: Exists}\n      terminationGracePeriodSeconds: %d\n",
			n,
			n,
		)
	default:
		return head + fmt.Sprintf("  minReadySeconds: %d\n", n) + pod + "      containers:\n        - name: c0\n" +
			fmt.Sprintf("          resources:\n            limits:\n              memory: %dMi\n", n)
	}
}

// operations returns a JSON patch of a workload.
func (t *kustomizeTree) operations() string {
	n := t.next()
	all := []string{
		"- op: add\n  path: /spec/template/spec/hostIPC\n  value: true\n",
		fmt.Sprintf(
			"- op: replace\n  path: /spec/template/spec/containers/0/image\n  value: registry.example.com/c0:%d\n",
			n,
		),
		fmt.Sprintf(
			"- op: add\n  path: /spec/template/spec/containers/-\n  value:\n    name: j%d\n    image: "+
				"registry.example.com/j:%d\n"+
				"    securityContext:\n      runAsUser: %d\n",
			n,
			n,
			n,
		),
		fmt.Sprintf(
			"- op: add\n  path: /spec/template/spec/containers/0\n  value: {name: f%d, image: "+
				"'registry.example.com/f:%d'}\n",
			n,
			n,
		),
		fmt.Sprintf("- op: add\n  path: /spec/template/spec/securityContext\n  value:\n    fsGroup: %d\n", n),
		"- op: remove\n  path: /spec/template/spec/nodeSelector\n",
	}
	first := pick(t.random, all...)
	if second := pick(t.random, all...); t.random.IntN(2) == 0 && second != first {
		return first + second
	}
	return first
}

// target returns the target of a patch.
func (t *kustomizeTree) target(w workload) string {
	return pick(t.random,
		fmt.Sprintf("{kind: %s, name: %s}", w.kind, w.name), fmt.Sprintf("{kind: %s}", w.kind),
		fmt.Sprintf("{name: %s.*}", w.name), "{group: apps}", fmt.Sprintf("{labelSelector: app=%s}", w.name),
	)
}

// patchFile adds a patch in a file.
func (t *kustomizeTree) patchFile(d *kustomizeDir) {
	w := pick(t.random, d.objects...)
	name := fmt.Sprintf("patch-%d.yaml", t.next())
	u := &unit{field: "patches", isList: true, text: "  - path: " + name, file: d.name + "/" + name}
	switch t.random.IntN(3) {
	case 0:
		t.files[u.file] = t.merge(w)
	case 1:
		t.files[u.file] = t.merge(w)
		u.text += "\n    target: " + t.target(w)
	default:
		t.files[u.file] = t.operations()
		u.text += "\n    target: " + t.target(w)
	}
	d.add(u)
}

// patchInPlace adds a patch in the kustomization.
func (t *kustomizeTree) patchInPlace(d *kustomizeDir) {
	w := pick(t.random, d.objects...)
	text := "  - patch: " + pick(t.random, "|", "|-", "|+") + "\n"
	if t.random.IntN(2) == 0 {
		text += indented(t.merge(w), "      ")
	} else {
		text += indented(t.operations(), "      ") + "    target: " + t.target(w)
	}
	d.add(&unit{field: "patches", isList: true, text: strings.TrimSuffix(text, "\n")})
}

// oldPatch adds a patch to the list that is deprecated.
func (t *kustomizeTree) oldPatch(d *kustomizeDir) {
	w := pick(t.random, d.objects...)
	if t.random.IntN(2) == 0 {
		d.add(
			&unit{
				field:  "patchesStrategicMerge",
				isList: true,
				text:   strings.TrimSuffix("  - |-\n"+indented(t.merge(w), "    "), "\n"),
			},
		)
		return
	}
	name := fmt.Sprintf("old-%d.yaml", t.next())
	t.files[d.name+"/"+name] = t.merge(w)
	d.add(&unit{field: "patchesStrategicMerge", isList: true, text: "  - " + name, file: d.name + "/" + name})
}

// severalPatches adds a file with patches of two workloads, or of one.
func (t *kustomizeTree) severalPatches(d *kustomizeDir) {
	name := fmt.Sprintf("several-%d.yaml", t.next())
	t.files[d.name+"/"+name] = t.merge(pick(t.random, d.objects...)) + "---\n" + t.merge(pick(t.random, d.objects...))
	d.add(&unit{field: "patches", isList: true, text: "  - path: " + name, file: d.name + "/" + name})
}

func (t *kustomizeTree) oldJSONPatch(d *kustomizeDir) {
	w := pick(t.random, d.objects...)
	target := fmt.Sprintf("    target: {group: apps, version: v1, kind: %s, name: %s}", w.kind, w.name)
	text := "  - patch: |-\n" + indented(t.operations(), "      ") + target
	d.add(&unit{field: "patchesJson6902", isList: true, text: text})
}

func (t *kustomizeTree) images(d *kustomizeDir) {
	what := pick(
		t.random,
		fmt.Sprintf("newTag: '%d'", t.next()),
		fmt.Sprintf("newName: mirror.example.com/%d", t.next()),
		fmt.Sprintf("newName: mirror.example.com/ %d", t.next()),
	)
	d.add(&unit{field: "images", isList: true, text: "  - name: registry.example.com/c0\n    " + what})
}

func (t *kustomizeTree) replicas(d *kustomizeDir) {
	for _, w := range d.objects {
		if w.kind != "DaemonSet" {
			d.add(
				&unit{
					field:  "replicas",
					isList: true,
					text:   fmt.Sprintf("  - name: %s\n    count: %d", w.name, t.next()),
				},
			)
			return
		}
	}
}

func (t *kustomizeTree) labels(d *kustomizeDir) {
	if t.random.IntN(2) == 0 {
		d.add(&unit{field: "commonLabels", text: fmt.Sprintf("{common-%d: 'a'}", t.next())})
		return
	}
	d.add(&unit{field: "labels", isList: true, text: fmt.Sprintf("  - pairs: {label-%d: a}\n    %s: true", t.next(),
		pick(t.random, "includeTemplates", "includeSelectors"))})
}

func (t *kustomizeTree) annotations(d *kustomizeDir) {
	d.add(&unit{field: "commonAnnotations", text: fmt.Sprintf("{note-%d: a}", t.next())})
}

func (t *kustomizeTree) namespace(d *kustomizeDir) {
	d.add(&unit{field: "namespace", text: fmt.Sprintf("ns-%d", t.next())})
}

func (t *kustomizeTree) affixes(d *kustomizeDir) {
	if t.random.IntN(2) == 0 {
		d.add(&unit{field: "namePrefix", text: fmt.Sprintf("p%d-", t.next())})
	} else {
		d.add(&unit{field: "nameSuffix", text: fmt.Sprintf("-s%d", t.next())})
	}
}

func (t *kustomizeTree) generators(d *kustomizeDir) {
	n := t.next()
	d.add(&unit{
		field: pick(t.random, "configMapGenerator", "secretGenerator"), isList: true,
		text: fmt.Sprintf("  - name: generated-%d\n    literals: [a=%d]", n, n),
	})
}

// replacements copies the name of an object into a field of another.
func (t *kustomizeTree) replacements(d *kustomizeDir) {
	from, to := pick(t.random, d.objects...), pick(t.random, d.objects...)
	field := pick(t.random, "spec.template.spec.containers.[name=c0].image", "spec.template.spec.schedulerName",
		"spec.template.metadata.annotations.from")
	d.add(&unit{field: "replacements", isList: true, text: fmt.Sprintf(
		"  - source: {kind: %s, name: %s}\n    targets:\n      - select: {kind: %s, name: %s}\n        fieldPaths: "+
			"['%s']\n        options: {create: true}",
		from.kind,
		from.name,
		to.kind,
		to.name,
		field,
	)})
}
