package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Why mocktest says something else than the engine.
const (
	ownAnnotation = "pulumi-kubernetes marks the names that it generates with an annotation, which is in no program"
	encoded       = "pulumi-kubernetes compares what it has derived from stringData: data"
	noPaths       = "the engine's events have no paths for a provider"
	dryRun        = "its dry run gives the API server the new object while the old one is there, and is refused; " +
		"an update replaces it"
)

// step registers what a program has at one time.
type step = func(*registrar) error

// Changes are all of them. No object has pods: nothing waits for nodes.
func Changes() []Change {
	return slices.Concat(deployments(), workloads(), settings(), others(), places(), identities(), options())
}

const (
	deployment  = "apps/v1:Deployment"
	statefulSet = "apps/v1:StatefulSet"
	configMap   = "core/v1:ConfigMap"
	// The metadata of objects with a name of the program, and of those with one of the provider.
	named, unnamed = "metadata: {name: NAME}\n", ""
)

// one registers one object.
func one(typ, manifest string, options ...pulumi.ResourceOption) step {
	return func(r *registrar) error {
		_, err := r.object(typ, "it", manifest, options...)
		return err
	}
}

// web is a Deployment's manifest.
func web(metadata, app, image string, more ...string) string {
	return metadata + fmt.Sprintf(`
spec:
  replicas: 0
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec:
      containers:
        - {name: web, image: %[2]s}
`, app, image) + strings.Join(more, "")
}

// deployments are changes of Deployments.
func deployments() []Change {
	return []Change{
		{
			Name:   "nothing",
			Before: one(deployment, web(named, "a", "nginx")),
			After:  one(deployment, web(named, "a", "nginx")),
		},
		{
			Name:   "image",
			Before: one(deployment, web(named, "a", "nginx")),
			After:  one(deployment, web(named, "a", "httpd")),
		},
		{
			Name: "container added", Before: one(deployment, web(named, "a", "nginx")),
			After: one(deployment, web(named, "a", "nginx", "        - {name: log, image: httpd}\n")),
		},
		{
			Name:   "selector",
			Before: one(deployment, web(named, "a", "nginx")),
			After:  one(deployment, web(named, "b", "nginx")),
		},
		{
			Name:   "selector and a generated name",
			Before: one(deployment, web(unnamed, "a", "nginx")), After: one(deployment, web(unnamed, "b", "nginx")),
		},
		{
			Name:    "name given",
			Differs: map[string]string{"it": ownAnnotation},
			Before:  one(deployment, web(unnamed, "a", "nginx")), After: one(deployment, web(named, "a", "nginx")),
		},
	}
}

// workloads are changes of what else has pods.
func workloads() []Change {
	set := func(metadata, service, storage string) string {
		return metadata + fmt.Sprintf(`
spec:
  replicas: 0
  serviceName: %s
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: nginx}]}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: %s}}}
`, service, storage)
	}
	// Nothing waits for it: it does not become ready.
	const unready = "metadata: {annotations: {pulumi.com/skipAwait: 'true'}}\n"
	job := func(image, deadline string) string {
		return unready + fmt.Sprintf(`
spec:
  suspend: true
  activeDeadlineSeconds: %s
  template: {spec: {restartPolicy: Never, containers: [{name: job, image: '%s'}]}}
`, deadline, image)
	}
	agent := func(app, image string) string {
		return unnamed + fmt.Sprintf(`
spec:
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec: {nodeSelector: {nowhere: 'true'}, containers: [{name: agent, image: '%[2]s'}]}
`, app, image)
	}
	pod := func(label, image string) string {
		return fmt.Sprintf(`
metadata: {labels: {team: %s}, annotations: {pulumi.com/skipAwait: 'true'}}
spec: {schedulerName: nobody, containers: [{name: web, image: '%s'}]}
`, label, image)
	}
	return []Change{
		{
			Name:   "selector of a DaemonSet",
			Before: one("apps/v1:DaemonSet", agent("a", "nginx")),
			After:  one("apps/v1:DaemonSet", agent("b", "nginx")),
		},
		{
			Name:   "image of a DaemonSet",
			Before: one("apps/v1:DaemonSet", agent("a", "nginx")),
			After:  one("apps/v1:DaemonSet", agent("a", "httpd")),
		},
		{
			Name:   "Service of a StatefulSet",
			Before: one(statefulSet, set(unnamed, "a", "1Gi")), After: one(statefulSet, set(unnamed, "b", "1Gi")),
		},
		{
			Name:   "claims of a StatefulSet",
			Before: one(statefulSet, set(unnamed, "a", "1Gi")), After: one(statefulSet, set(unnamed, "a", "2Gi")),
		},
		{
			Name:    "annotation of a StatefulSet",
			Differs: map[string]string{"it": ownAnnotation}, Before: one(statefulSet, set(unnamed, "a", "1Gi")),
			After: one(statefulSet, set("metadata: {annotations: {team: a}}\n", "a", "1Gi")),
		},
		{
			Name: "Service of a StatefulSet with a name", Tried: true,
			Differs: map[string]string{"its preview": dryRun},
			Before:  one(statefulSet, set(named, "a", "1Gi")), After: one(statefulSet, set(named, "b", "1Gi")),
		},
		{
			Name:   "image of a Job",
			Before: one("batch/v1:Job", job("nginx", "60")),
			After:  one("batch/v1:Job", job("httpd", "60")),
		},
		{
			Name:   "deadline of a Job",
			Before: one("batch/v1:Job", job("nginx", "60")),
			After:  one("batch/v1:Job", job("nginx", "90")),
		},
		{
			Name:   "image of a Pod",
			Before: one("core/v1:Pod", pod("a", "nginx")),
			After:  one("core/v1:Pod", pod("a", "httpd")),
		},
		{
			Name:   "label of a Pod",
			Before: one("core/v1:Pod", pod("a", "nginx")),
			After:  one("core/v1:Pod", pod("b", "nginx")),
		},
	}
}

// settings are changes of ConfigMaps and Secrets.
func settings() []Change {
	color := func(metadata, value string) step { return one(configMap, metadata+"data: {color: "+value+"}\n") }
	mutable := func(manifest string) step {
		return func(r *registrar) error {
			p, err := r.provider("provider", pulumi.Map{
				"enableConfigMapMutable": pulumi.Bool(true), "enableSecretMutable": pulumi.Bool(true),
			})
			if err != nil {
				return err
			}
			_, err = r.object(configMap, "it", manifest, p)
			return err
		}
	}
	secret := func(manifest string) step { return one("core/v1:Secret", named+manifest) }
	used := func(metadata, value string) step {
		return func(r *registrar) error {
			c, err := r.object(configMap, "settings", metadata+"data: {color: "+value+"}\n")
			if err != nil {
				return err
			}
			_, err = r.register(configMap, "user", pulumi.Map{
				"apiVersion": pulumi.String("v1"), "kind": pulumi.String("ConfigMap"),
				"metadata": pulumi.Map{"annotations": pulumi.Map{
					"settings": c.Metadata.MapIndex(pulumi.String("name")),
				}},
			})
			return err
		}
	}
	return []Change{
		{Name: "data", Before: color(named, "blue"), After: color(named, "red")},
		{Name: "data and a generated name", Before: color(unnamed, "blue"), After: color(unnamed, "red")},
		{Name: "data added", Before: one(configMap, named), After: color(named, "red")},
		{Name: "data that a user sees", Before: used(named, "blue"), After: used(named, "red")},
		{Name: "data and a name that a user sees", Before: used(unnamed, "blue"), After: used(unnamed, "red")},
		{
			Name: "data that the provider changes", Before: mutable(named + "data: {color: blue}\n"),
			After: mutable(named + "data: {color: red}\n"),
		},
		{
			Name: "data of an immutable ConfigMap", Before: mutable(named + "immutable: true\ndata: {color: blue}\n"),
			After: mutable(named + "immutable: true\ndata: {color: red}\n"),
		},
		{Name: "type of a Secret", Before: secret("type: example.com/a\n"), After: secret("type: example.com/b\n")},
		{
			Name:    "text of a Secret",
			Differs: map[string]string{"it": encoded},
			Before:  secret("stringData: {key: a}\n"),
			After:   secret("stringData: {key: b}\n"),
		},
		{Name: "data of a Secret", Before: secret("data: {key: YQ==}\n"), After: secret("data: {key: Yg==}\n")},
		{
			Name:   "label of a Secret",
			Before: secret("data: {key: YQ==}\n"),
			After:  one("core/v1:Secret", "metadata: {name: NAME, labels: {team: a}}\ndata: {key: YQ==}\n"),
		},
	}
}

// others are changes of other kinds.
func others() []Change {
	service := func(metadata, port, more string) step {
		return one("core/v1:Service", metadata+"spec: {ports: [{port: "+port+"}]"+more+"}\n")
	}
	const headless = ", clusterIP: None"
	claim := func(class, label string) step {
		return one("core/v1:PersistentVolumeClaim", fmt.Sprintf(`
metadata: {labels: {team: %s}, annotations: {pulumi.com/skipAwait: 'true'}}
spec: {accessModes: [ReadWriteOnce], storageClassName: %s, resources: {requests: {storage: 1Gi}}}
`, label, class))
	}
	binding := func(metadata, kind, role string) step {
		const group = "rbac.authorization.k8s.io"
		return one(group+"/v1:"+kind, metadata+"subjects: [{kind: User, name: nobody, apiGroup: "+group+"}]\n"+
			"roleRef: {kind: ClusterRole, name: "+role+", apiGroup: "+group+"}\n")
	}
	class := func(provisioner, expansion string) step {
		return one("storage.k8s.io/v1:StorageClass",
			named+"provisioner: "+provisioner+"\nallowVolumeExpansion: "+expansion+"\n")
	}
	runtime := func(handler, label string) step {
		return one("node.k8s.io/v1:RuntimeClass",
			"metadata: {name: NAME, labels: {team: "+label+"}}\nhandler: "+handler+"\n")
	}
	return []Change{
		{Name: "port of a Service", Before: service(named, "80", ""), After: service(named, "81", "")},
		{Name: "type of a Service", Before: service(named, "80", ""), After: service(named, "80", ", type: NodePort")},
		{Name: "headless Service", Before: service(unnamed, "80", ""), After: service(unnamed, "80", headless)},
		{Name: "class of a claim", Before: claim("fast", "a"), After: claim("slow", "a")},
		{Name: "label of a claim", Before: claim("fast", "a"), After: claim("fast", "b")},
		{
			Name:   "role of a RoleBinding",
			Before: binding(unnamed, "RoleBinding", "view"), After: binding(unnamed, "RoleBinding", "edit"),
		},
		{
			Name:   "role of a ClusterRoleBinding",
			Before: binding(unnamed, "ClusterRoleBinding", "view"),
			After:  binding(unnamed, "ClusterRoleBinding", "edit"),
		},
		{
			Name:   "provisioner of a StorageClass",
			Before: class("example.com/a", "false"),
			After:  class("example.com/b", "false"),
		},
		{
			Name:   "expansion of a StorageClass",
			Before: class("example.com/a", "false"),
			After:  class("example.com/a", "true"),
		},
		{Name: "label of a RuntimeClass", Before: runtime("a", "a"), After: runtime("a", "b")},
	}
}
