package structure

import (
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	strict "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var seeds = []string{
	`{"apiVersion": "v1", "kind": "Pod", "spec": {"os": {"name": "windows"}, "hostNetwork": true, "containers": [{
		"name": "a", "command": ["a"], "ports": [{"containerPort": 80}], "env": [{"name": "A", "value": "1"}],
		"resources": {"limits": {"cpu": "500m", "memory": 1.5}}, "livenessProbe": {"httpGet": {"port": "http"}}}]}}`,
	`{"apiVersion": "v1", "kind": "Pod", "spec": {"os": "windows", "hostNetwork": "true", "Containers": null}}`,
	`{"apiVersion": "v1", "kind": "Secret", "data": {"a": "YWJj", "b": [1, 2], "c": "?"}, "immutable": null}`,
	`{"apiVersion": "v1", "kind": "Service", "spec": {"ports": [{"port": 3000000000, "targetPort": 1.5}]}}`,
	`{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"labels": {"a": 1}}, "spec": {"replicas": "3"}}`,
	`{"apiVersion": "batch/v1", "kind": "CronJob", "spec": {"schedule": "* * * * *", "jobTemplate": {"spec": []}}}`,
	`{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"creationTimestamp": "2026-11-24T08:00:00Z",
		"managedFields": [{"fieldsV1": {"a": 1}}]}, "spec": {"renewTime": "2026-11-24T08:00:00.000000Z"}}`,
	`{"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "spec": {"rules": [{"http": {"paths": [{}]}}]}}`,
	`{"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "spec": {"metrics": [{"type": "Resource",
		"resource": {"name": "cpu", "target": {"averageValue": " 5 "}}}]}}`,
	`{"apiVersion": "apps/v1", "kind": "ControllerRevision", "data": {"a": [1, {}]}, "revision": 9223372036854775807}`,
}

// FuzzStructure compares the findings about objects with the errors of the API server's strict decoder.
func FuzzStructure(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	kinds, _ := readTable(f, required(f))
	decoder := strict.NewSerializerWithOptions(strict.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
		strict.SerializerOptions{Strict: true})
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		object := tree.Map(tree.Normalize(v))
		version, _ := object["apiVersion"].(string)
		name, _ := object["kind"].(string)
		recognized := scheme.Scheme.Recognizes(schema.FromAPIVersionAndKind(version, name))
		if kinds[version+" "+name] == "" || !recognized {
			return
		}
		// This removes duplicate keys.
		plain, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		_, _, refused := decoder.Decode(plain, nil, nil)
		found, typed := ofLab.judge(object)
		if (refused != nil) != (len(found.fields)+len(typed) > 0) {
			t.Errorf("%s\nthe decoder: %v\npreflight: %s", plain, refused, found.why)
		}
	})
}
