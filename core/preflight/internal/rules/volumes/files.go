package volumes

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/preflight/internal/sources"
	"github.com/mixedkube/mixedkube/core/preflight/internal/subject"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var fileRules = []engine.Rule{memoryVolumeOnWindows, fileModeOnWindows, secretVolumeOnWindows}

var memoryVolumeOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK502", Severity: rule.Warning, Title: "an emptyDir in memory on Windows", Page: rulepages.Volumes,
		Reason: "The kubelet on Windows silently creates an ordinary directory on the node's disk instead.",
		Fix:    "remove it",
		Source: "pkg/volume/emptydir/empty_dir_unsupported.go of Kubernetes 1.36.3; " + sources.WindowsStorage,
	},
	Checks: []engine.Check{engine.On(subject.WindowsEmptyDirs, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for i, volume := range volumesOf(p) {
			medium := tree.Map(volume["emptyDir"])["medium"]
			if text, _ := tree.Text(medium); text == string(corev1.StorageMediumMemory) {
				found = append(found, rule.Problem{
					Path: p.Path("volumes", i, "emptyDir", "medium"), Value: medium,
					Detail: "is silently replaced with a directory on disk on Windows",
				})
			}
		}
		return found
	})},
}

var fileModeOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK513", Severity: rule.Warning, Title: "file modes on Windows", Page: rulepages.Volumes,
		Reason: "Windows files have access control lists instead: the mode has no effect, and every user in the " +
			"container can read the file.",
		Fix:    "remove it",
		Source: sources.WindowsStorage,
	},
	Checks: []engine.Check{engine.On(windowsFiles, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, set := range sourcesOf(p) {
			found = append(found, set.modes(p)...)
		}
		return found
	})},
}

var secretVolumeOnWindows = engine.Rule{
	Rule: rule.Rule{
		ID: "MK520", Severity: rule.Info, Title: "a Secret volume on Windows", Page: rulepages.Volumes,
		Reason: "The kubelet on Windows writes the Secret to the node's disk in clear text, because Windows has no " +
			"file system in memory. The same is true for the private key of a projected podCertificate, and for what " +
			"the Secrets Store CSI driver gets from a vault: it mounts a file system in memory on Linux only.",
		Fix: "encrypt the node's disk",
		Source: "https://kubernetes.io/docs/concepts/security/windows-security/#protection-for-secret-data-on-nodes; " +
			"pkg/volume/projected/projected.go of Kubernetes 1.36.3; NodePublishVolume in " +
			"https://github.com/kubernetes-sigs/secrets-store-csi-driver/blob/main/pkg/secrets-store/nodeserver.go",
	},
	Checks: []engine.Check{engine.On(windowsSecrets, func(p *subject.Pods) []rule.Problem {
		var found []rule.Problem
		for _, set := range sourcesOf(p) {
			if driver, _ := tree.Text(tree.Map(set.spec["csi"])["driver"]); driver == secretsStore {
				found = append(found, rule.Problem{
					Path:   set.in(p, "csi"),
					Detail: "has secrets that are stored on the disk of a Windows node in clear text",
				})
			}
			if pods.IsSet(set.spec, "secret") {
				found = append(found, rule.Problem{
					Path:   set.in(p, "secret"),
					Detail: "is stored on the disk of a Windows node in clear text",
				})
			}
			if pods.IsSet(set.spec, "podCertificate") {
				found = append(found, rule.Problem{
					Path:   set.in(p, "podCertificate"),
					Detail: "has a private key that is stored on the disk of a Windows node in clear text",
				})
			}
		}
		return found
	})},
}

// secretsStore is the CSI driver that mounts the secrets of a vault.
const secretsStore = "secrets-store.csi.k8s.io"

// fileSource is a volume, or a source of a projected volume.
type fileSource struct {
	path []any
	spec map[string]any
}

// sourcesOf returns the volumes of pods and the sources of the projected ones.
func sourcesOf(p *subject.Pods) []fileSource {
	var all []fileSource
	for i, volume := range volumesOf(p) {
		all = append(all, fileSource{[]any{"volumes", i}, volume})
		for j, v := range tree.List(tree.Map(volume["projected"])["sources"]) {
			if source := tree.Map(v); source != nil {
				all = append(all, fileSource{[]any{"volumes", i, "projected", "sources", j}, source})
			}
		}
	}
	return all
}

func (s *fileSource) in(p *subject.Pods, keys ...any) string {
	return p.Path(append(slices.Clip(s.path), keys...)...)
}

// defaultMode is set by the API server: every object that was read from a cluster has it, so it is not explicit.
const defaultMode = 0o644

// modes finds the modes of the files, except the default.
func (s *fileSource) modes(p *subject.Pods) []rule.Problem {
	var found []rule.Problem
	check := func(v any, keys ...any) {
		if mode, ok := tree.Int(v); ok && mode != defaultMode {
			found = append(found, rule.Problem{Path: s.in(p, keys...), Value: v, Detail: "has no effect on Windows"})
		}
	}
	for _, kind := range withMode {
		source := tree.Map(s.spec[kind])
		check(source["defaultMode"], kind, "defaultMode")
		for k, item := range tree.List(source["items"]) {
			check(tree.Map(item)["mode"], kind, "items", k, "mode")
		}
	}
	return found
}
