package repositories_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"strings"
)

// tree is a repository that is made up, with the objects of its clusters.
type tree struct {
	random *rand.Rand
	layout string
	// files are the contents of the files by their paths.
	files map[string]string
	// clusters are the names of the environments, and own and shared the objects of each and of all.
	clusters []string
	own      map[string][]string
	shared   []string
	// alone means that each file has one object.
	alone bool
	// received are the files with the objects of each cluster, in the order of what it receives.
	received map[string][]string
}

// layout is a form of repositories.
type layout struct {
	name string
	// build writes the objects of the clusters.
	build func(t *tree)
	// environment returns the name of the environment of a cluster.
	environment func(cluster string) string
	// single means that the repository is for one cluster, and has no environments.
	single bool
}

func in(dir string) func(string) string {
	return func(cluster string) string { return path.Join(dir, cluster) }
}

var layouts = []layout{
	{"one directory", oneDirectory, nil, true},
	{"nested directories", nested, nil, true},
	{"a kustomization", oneKustomization, in("deploy"), true},
	{"a directory for each cluster", directories, in(""), false},
	{"a directory for each cluster in each component", components, in(""), false},
	{"overlays of kustomize", overlays, in("overlays"), false},
	{"Kustomizations of Flux", flux, in("apps"), false},
	{"Kustomizations of Flux with kustomize", fluxWithKustomize, in("apps"), false},
	{"Applications of Argo CD", argo, in("deploy"), false},
	{"an ApplicationSet of Argo CD", applicationSet, in("deploy"), false},
	{"environments of the configuration", configured, in(""), false},
}

// put writes objects into files of a directory, one or two in each, and returns their paths.
func (t *tree) put(dir, name string, objects []string) (files []string) {
	for len(objects) > 0 {
		n := min(1+t.random.IntN(2), len(objects))
		if t.alone {
			n = 1
		}
		file := path.Join(dir, fmt.Sprintf("%s-%d%s", name, len(files), pick(t.random, ".yaml", ".yml")))
		t.files[file] = strings.Join(objects[:n], "---\n")
		files, objects = append(files, file), objects[n:]
	}
	return files
}

// give adds files to what a cluster receives.
func (t *tree) give(cluster string, files ...string) {
	t.received[cluster] = append(t.received[cluster], files...)
}

func (t *tree) giveAll(files []string) {
	for _, cluster := range t.clusters {
		t.give(cluster, files...)
	}
}

func pick[T any](random *rand.Rand, of ...T) T { return of[random.IntN(len(of))] }

// setting is an object that each directory of a cluster has, so that directories repeat a name.
const setting = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n"

func oneDirectory(t *tree) {
	t.giveAll(t.put("deploy", "own", append(t.own[t.clusters[0]], t.shared...)))
}

func nested(t *tree) {
	t.giveAll(t.put("deploy/apps/web", "own", t.own[t.clusters[0]]))
	t.giveAll(t.put("deploy/infrastructure", "shared", t.shared))
}

func oneKustomization(t *tree) {
	files := t.put("deploy/"+t.clusters[0], "own", append(t.own[t.clusters[0]], t.shared...))
	t.giveAll(files)
	t.kustomize("deploy/"+t.clusters[0], files, t.inputs("deploy/"+t.clusters[0]))
}

func directories(t *tree) {
	for _, cluster := range t.clusters {
		t.give(cluster, t.put("clusters/"+cluster, "own", append(t.own[cluster], setting))...)
	}
	t.giveAll(t.put("clusters/"+pick(t.random, "base", "common", "shared"), "shared", t.shared))
}

// components has web/production and disk/production, which are for one cluster, and web/staging and disk/staging.
func components(t *tree) {
	for _, cluster := range t.clusters {
		t.give(cluster, t.put("web/"+cluster, "own", append(t.own[cluster], setting))...)
		t.give(cluster, t.put("disk/"+cluster, "own", []string{strings.Replace(setting, "settings", "disk", 1)})...)
	}
	t.giveAll(t.put("web", "shared", t.shared))
}

var nameFormat = regexp.MustCompile(`(?m)^(?:  name: |metadata: \{name: )([a-z0-9.-]+)`)

// names returns the names of objects.
func names(objects []string) (names []string) {
	for _, o := range objects {
		if m := nameFormat.FindStringSubmatch(o); m != nil {
			names = append(names, m[1])
		}
	}
	return names
}

func overlays(t *tree) {
	base := t.put("base", "shared", append(t.shared, setting))
	t.kustomize("base", base, t.inputs("base"))
	t.giveAll(base)
	for _, cluster := range t.clusters {
		dir := "overlays/" + cluster
		files := t.put(dir, "own", t.own[cluster])
		t.give(cluster, files...)
		// Without apiVersion, kustomize does not build it.
		t.files[dir+"/replicas.yaml"] = pick(t.random, "apiVersion: v1\n", "apiVersion: v1\n", "") +
			"kind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {a: b}\n"
		more := "patches:\n  - path: replicas.yaml\n"
		if t.random.IntN(2) == 0 {
			t.files[dir+"/replicas.yaml"] = "- op: add\n  path: /data\n  value: {a: b}\n"
			more += "    target: {kind: ConfigMap, name: settings}\n"
		}
		t.kustomize(dir, append([]string{"base"}, files...), more+t.inputs(dir))
	}
}

// kustomize writes a kustomization with resources, which are files or directories, and other fields.
func (t *tree) kustomize(dir string, resources []string, more string) {
	var b strings.Builder
	if t.random.IntN(2) == 0 {
		b.WriteString("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n")
	}
	b.WriteString("resources:\n")
	for _, r := range resources {
		b.WriteString("  - " + relative(dir, r) + "\n")
	}
	t.files[dir+"/"+pick(t.random, "kustomization.yaml", "kustomization.yml", "Kustomization")] = b.String() + more
}

// inputs writes files that a kustomization takes as inputs, and returns the fields that name them.
func (t *tree) inputs(dir string) string {
	if t.random.IntN(2) == 0 {
		return ""
	}
	// It looks like a pod with mistakes, and is the content of a ConfigMap.
	t.files[dir+"/template.yaml"] = strings.Replace(wrongPod, "NAME", "template", 1)
	return "configMapGenerator:\n  - name: templates\n    files: [pod=template.yaml]\n"
}

// wrongPod has two errors, in a file that is not for a cluster.
const wrongPod = "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME, namespace: shop}\nspec:\n  os: {name: windows}\n" +
	"  hostPID: true\n  containers: [{name: a, image: shop.example.com/a:1, privileged: yes}]\n"

// relative returns a path from a directory.
func relative(dir, to string) string {
	from, parts := strings.Split(dir, "/"), strings.Split(to, "/")
	for len(from) > 0 && len(parts) > 1 && from[0] == parts[0] {
		from, parts = from[1:], parts[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(parts, "/")
}

const fluxKustomization = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %[1]s, namespace: flux-system}
spec:
  interval: 10m
  path: ./apps/%[1]s
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
`

func flux(t *tree) {
	for _, cluster := range t.clusters {
		t.files["clusters/"+cluster+".yaml"] = fmt.Sprintf(fluxKustomization, cluster)
		t.give(cluster, t.put("apps/"+cluster, "own", append(t.own[cluster], t.shared...))...)
	}
}

func fluxWithKustomize(t *tree) {
	base := t.put("apps/base", "shared", append(t.shared, setting))
	t.kustomize("apps/base", base, "")
	t.giveAll(base)
	for _, cluster := range t.clusters {
		t.files["clusters/"+cluster+".yaml"] = fmt.Sprintf(fluxKustomization, cluster)
		files := t.put("apps/"+cluster, "own", t.own[cluster])
		t.give(cluster, files...)
		t.kustomize("apps/"+cluster, append([]string{"apps/base"}, files...), t.inputs("apps/"+cluster))
	}
}

func argo(t *tree) {
	for _, cluster := range t.clusters {
		t.files["argocd/"+cluster+".yaml"] = fmt.Sprintf(`apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %[1]s, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://git.example.com/shop, path: deploy/%[1]s, targetRevision: main}
  destination: {name: %[1]s, namespace: shop}
`, cluster)
		t.give(cluster, t.put("deploy/"+cluster, "own", append(t.own[cluster], t.shared...))...)
	}
}

func applicationSet(t *tree) {
	t.files["argocd/shop.yaml"] = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: shop, namespace: argocd}
spec:
  generators:
  - git: {repoURL: https://git.example.com/shop, revision: main, directories: [{path: deploy/*}]}
  template:
    metadata: {name: '{{path.basename}}'}
    spec:
      project: default
      source: {repoURL: https://git.example.com/shop, path: '{{path}}', targetRevision: main}
      destination: {name: '{{path.basename}}', namespace: shop}
`
	for _, cluster := range t.clusters {
		t.give(cluster, t.put("deploy/"+cluster, "own", append(t.own[cluster], t.shared...))...)
	}
}

func configured(t *tree) {
	var b strings.Builder
	b.WriteString("environments:\n")
	shared := t.put("platform", "shared", t.shared)
	t.giveAll(shared)
	for _, cluster := range t.clusters {
		fmt.Fprintf(&b, "- {name: %[1]s, files: [/of/%[1]s/, platform]}\n", cluster)
		t.give(cluster, t.put("of/"+cluster, "own", t.own[cluster])...)
	}
	t.files[".mixedkube.yaml"] = b.String()
}
