package differential

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// TestFieldsOfFeatureGatesAreDropped writes wrong values into fields that belong to feature gates: an API server
// refuses them, unless it drops the field. preflight warns if it does, or refuses a field that does not exist.
func TestFieldsOfFeatureGatesAreDropped(t *testing.T) {
	configMap := object{"configMap": object{"name": "c", "items": list{object{"key": "k", "path": "p", "user": -1}}}}
	downward := object{"path": "p", "fieldRef": object{"fieldPath": "metadata.name"}, "user": -1}
	volumes := func(of object) object { return object{"volumes": list{of}} }
	projected := func(source object) object {
		return volumes(object{"name": "v", "projected": object{"sources": list{source}}})
	}
	mounts := object{"volumeMounts": list{object{"name": "v", "mountPath": "m", "bindMountOptions": list{"x"}}}}
	probe := func(of object) object { return object{"livenessProbe": of} }
	const volume = "spec.volumes[0]."
	running := startOracles(t)
	for path, f := range map[string]fact{
		"spec.evictionResponders": {pod: object{"evictionResponders": list{object{"name": "?"}}}},
		"spec.schedulingGroup":    {pod: object{"schedulingGroup": object{"podGroupName": "?"}}},
		"spec.workloadRef":        {pod: object{"workloadRef": object{"name": "?"}}},

		volume + "projected.sources[0].podCertificate":     {pod: projected(object{"podCertificate": object{}})},
		volume + "projected.sources[0].clusterTrustBundle": {pod: projected(object{"clusterTrustBundle": object{}})},

		volume + "emptyDir.mode": {pod: volumes(object{"name": "v", "emptyDir": object{"mode": 99999}})},
		volume + "configMap.defaultUser": {
			pod: volumes(object{"name": "v", "configMap": object{"name": "c", "defaultUser": -1}}),
		},
		volume + "secret.defaultUser": {
			pod: volumes(object{"name": "v", "secret": object{"secretName": "c", "defaultUser": -1}}),
		},
		volume + "downwardAPI.defaultUser": {
			pod: volumes(object{"name": "v", "downwardAPI": object{"defaultUser": -1}}),
		},
		volume + "projected.defaultUser": {
			pod: volumes(object{"name": "v", "projected": object{"defaultUser": -1, "sources": list{}}}),
		},
		volume + "projected.sources[0].configMap.items[0].user": {pod: projected(configMap)},
		volume + "downwardAPI.items[0].user": {
			pod: volumes(object{"name": "v", "downwardAPI": object{"items": list{downward}}}),
		},
		"spec.containers[0].volumeMounts[0].bindMountOptions": {
			pod: volumes(object{"name": "v", "emptyDir": object{}}), container: mounts,
		},
		"spec.containers[0].livenessProbe.httpGet.protocol": {
			container: probe(object{"httpGet": object{"port": 80, "protocol": "x"}}),
		},
		"spec.containers[0].livenessProbe.grpc.mode": {
			container: probe(object{"grpc": object{"port": 80, "mode": "x"}}),
		},
	} {
		pod, _ := f.objects()
		for _, o := range running {
			a, err := o.judge(pod)
			if err != nil {
				t.Fatal(err)
			}
			dropped := true
			for _, v := range a.Errors {
				dropped = dropped && !strings.HasPrefix(v.Path, path)
			}
			var found []string
			for _, f := range preflight.Check(tree.Map(tree.Normalize(pod)),
				preflight.Options{KubernetesVersion: o.Minor}) {
				if f.Path == path && (f.Rule == "MK165" || f.Rule == "MK171") {
					found = append(found, f.Rule)
				}
			}
			if len(found) > 1 || (len(found) == 1) != dropped {
				t.Errorf("Kubernetes %s, %s: dropped: %t, found: %q", o.Version, path, dropped, found)
			}
		}
	}
}
