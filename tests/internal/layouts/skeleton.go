package layouts

import (
	"fmt"
	"strings"
)

// Kinds returns the kinds of workloads.
func Kinds() []string {
	return []string{
		"Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job", "CronJob",
	}
}

// matchLabels is the selector of most controllers.
const matchLabels = "\n    matchLabels: {app: %[1]s}"

// skeletons are the objects of the kinds. %[1]s is the name, %[2]s what follows the labels in the metadata of the
// pods, %[3]s their spec.
var skeletons = map[string]string{
	"Pod": `apiVersion: v1
kind: Pod
metadata:
  name: %[1]s
  labels: {app: %[1]s}
%[2]sspec:%[3]s`,
	"Deployment":            controller("apps/v1", "Deployment", matchLabels, "replicas: 1"),
	"StatefulSet":           controller("apps/v1", "StatefulSet", matchLabels, "serviceName: %[1]s"),
	"DaemonSet":             controller("apps/v1", "DaemonSet", matchLabels, "minReadySeconds: 0"),
	"ReplicaSet":            controller("apps/v1", "ReplicaSet", matchLabels, "replicas: 1"),
	"ReplicationController": controller("v1", "ReplicationController", " {app: %[1]s}", "replicas: 1"),
	"Job": `apiVersion: batch/v1
kind: Job
metadata:
  name: %[1]s
spec:
  backoffLimit: 20
  template:
    metadata:
      labels: {app: %[1]s}
%[2]s    spec:%[3]s`,
	// Tests start Jobs of it themselves.
	"CronJob": `apiVersion: batch/v1
kind: CronJob
metadata:
  name: %[1]s
spec:
  schedule: "0 4 1 1 *"
  jobTemplate:
    spec:
      template:
        metadata:
          labels: {app: %[1]s}
%[2]s        spec:%[3]s`,
}

func controller(version, kind, selector, field string) string {
	return "apiVersion: " + version + "\nkind: " + kind + `
metadata:
  name: %[1]s
spec:
  ` + field + `
  selector:` + selector + `
  template:
    metadata:
      labels: {app: %[1]s}
%[2]s    spec:%[3]s`
}

// skeleton returns the object of a workload in block style.
func skeleton(w Workload, p parts) (string, error) {
	text, ok := skeletons[w.Kind]
	if !ok {
		return "", fmt.Errorf("%q is not one of the kinds %s", w.Kind, strings.Join(Kinds(), ", "))
	}
	before, _, _ := strings.Cut(text, "spec:%[3]s")
	depth := before[strings.LastIndex(before, "%[2]s")+len("%[2]s"):]
	restart := map[string]string{"Job": "Never", "CronJob": "OnFailure"}[w.Kind]
	var spec string
	switch {
	case p.flow != "" && restart != "":
		spec = " " + fmt.Sprintf(p.flow, ", restartPolicy: "+restart) + "\n"
	case p.flow != "":
		spec = " " + fmt.Sprintf(p.flow, "") + "\n"
	case restart != "":
		spec = "\n" + indent("restartPolicy: "+restart+"\n"+p.pods, depth+"  ")
	default:
		spec = "\n" + indent(p.pods, depth+"  ")
	}
	const named = "metadata:\n  name: %[1]s\n"
	switch {
	case w.Kind != "Pod":
		text = strings.Replace(text, named, named+p.object, 1)
	case p.metadata == "":
		p.metadata = strings.ReplaceAll(p.object, "  annotations", "annotations")
	}
	return fmt.Sprintf(text, w.Name, indent(p.metadata, depth+"  "), spec), nil
}

// indent indents the lines of a text that are not empty.
func indent(text, by string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			out.WriteString(by)
		}
		out.WriteString(line)
	}
	return out.String()
}
