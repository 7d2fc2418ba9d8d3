package preflight_test

import (
	"strings"
	"testing"
)

func TestMountsNameVolumesOfThePod(t *testing.T) {
	t.Parallel()
	const lost = ": add the volume to the pod (MK172)"
	for _, tt := range []struct {
		name, container, spec string
		want                  []string
	}{
		{"a volume", "volumeMounts: [{name: data, mountPath: /data}]", "volumes: [{name: data}]", nil},
		{
			"none", "volumeMounts: [{name: data, mountPath: /data}]", "",
			[]string{`spec.containers[0].volumeMounts[0].name: Not found: "data"` + lost},
		},
		{
			"another one", "volumeMounts: [{name: data}, {name: date}]", "volumes: [{name: data}]",
			[]string{`spec.containers[0].volumeMounts[1].name: Not found: "date": did you mean "data"? (MK172)`},
		},
		{
			"a device", "volumeDevices: [{name: disk, devicePath: /dev/x}]", "volumes: [{name: data}]",
			[]string{`spec.containers[0].volumeDevices[0].name: Not found: "disk"` + lost},
		},
		{
			"an init container", "volumeMounts: []",
			"initContainers: [{name: i, image: example.com/i, volumeMounts: [{name: a}]}]",
			[]string{`spec.initContainers[0].volumeMounts[0].name: Not found: "a"` + lost},
		},
		{"a container without an image", "", "initContainers: [{name: i, volumeMounts: [{name: a}]}]", nil},
		{
			"a secret name", `volumeMounts: [{name: "$secret-date"}]`, "volumes: [{name: data}]",
			[]string{`spec.containers[0].volumeMounts[0].name: Not found: "[secret]"` + lost},
		},
		{
			"a secret volume", "volumeMounts: [{name: date}]", `volumes: [{name: "$secret-data"}]`,
			[]string{`spec.containers[0].volumeMounts[0].name: Not found: "date"` + lost},
		},
		{"the name of a secret volume", "volumeMounts: [{name: data}]", `volumes: [{name: "$secret-data"}]`, nil},
		{"a name that is not known", `volumeMounts: [{name: "$unknown"}]`, "", nil},
		{"volumes that are not known", "volumeMounts: [{name: a}]", `volumes: "$unknown"`, nil},
		{"a volume that is not known", "volumeMounts: [{name: a}]", `volumes: [{name: b}, "$unknown"]`, nil},
		{"a volume whose name is not known", "volumeMounts: [{name: a}]", `volumes: [{name: "$unknown"}]`, nil},
		{"a placeholder", "volumeMounts: [{name: '${VOLUME}'}]", "volumes: [{name: data}]", nil},
		{"a volume that is a placeholder", "volumeMounts: [{name: data}]", "volumes: [{name: '${VOLUME}'}]", nil},
		{"no name", "volumeMounts: [{mountPath: /data}]", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, inPod("linux", tt.spec, tt.container)), v136, "MK172", tt.want...)
		})
	}
}

func TestVolumesOfTemplates(t *testing.T) {
	t.Parallel()
	const pod = "template: {spec: {containers: [{name: a, image: a, volumeMounts: [{name: data}]}]}}"
	const lost = `spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"` +
		": add the volume to the pod (MK172)"
	for _, tt := range []struct{ name, object, want string }{
		{
			"a claim of a StatefulSet", "{kind: StatefulSet, spec: {selector: {}, volumeClaimTemplates: [{metadata: " +
				"{name: data}}], " + pod + "}}", "",
		},
		{
			"another claim", "{kind: StatefulSet, spec: {selector: {}, volumeClaimTemplates: [{metadata: {name: " +
				"disk}}], " +
				pod + "}}", lost,
		},
		{
			"a claim that is not known", `{kind: StatefulSet, spec: {selector: {}, volumeClaimTemplates: ` +
				`["$unknown"], ` +
				pod + "}}", "",
		},
		{
			"claims that are not known", `{kind: StatefulSet, spec: {selector: {}, volumeClaimTemplates: "$unknown", ` +
				pod + "}}", "",
		},
		{"a Deployment", "{kind: Deployment, spec: {selector: {}, " + pod + "}}", lost},
		{"a patch of a Deployment", "{kind: Deployment, spec: {" + pod + "}}", ""},
		{"a custom resource", "{apiVersion: argoproj.io/v1alpha1, kind: Rollout, spec: {selector: " +
			"{}, " + pod + "}}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want []string
			if tt.want != "" {
				want = []string{tt.want}
			}
			wantFindings(t, object(t, tt.object), v136, "MK172", want...)
		})
	}
}

func TestSelectorsMatchTheTemplate(t *testing.T) {
	t.Parallel()
	const (
		refused = "`selector` does not match template `labels`: "
		missing = "give the template the labels that the selector requires (MK173)"
	)
	for _, tt := range []struct{ name, kind, selector, labels, want string }{
		{"the same", "Deployment", "{matchLabels: {app: a}}", "{app: a, tier: b}", ""},
		{
			"other labels", "Deployment", "{matchLabels: {app: a, tier: b}}", "{app: c, tier: b}",
			`Invalid value: "app=c,tier=b": ` + refused + "write app: a, as the selector requires (MK173)",
		},
		{
			"no labels", "ReplicaSet", "{matchLabels: {app: a, tier: b}}", "null",
			`Invalid value: "": ` + refused + "write app: a, tier: b, as the selector requires (MK173)",
		},
		{
			"an expression", "StatefulSet", "{matchExpressions: [{key: app, operator: In, values: [a, " +
				"b]}]}", "{app: c}",
			`Invalid value: "app=c": ` + refused + missing,
		},
		{
			"an expression that matches", "StatefulSet",
			"{matchExpressions: [{key: app, operator: NotIn, values: [a, b]}]}", "{app: c}", "",
		},
		{
			"a DaemonSet", "DaemonSet", "{matchExpressions: [{key: app, operator: Exists}]}", "{}",
			`Invalid value: "": ` + refused + missing,
		},
		{
			"a ReplicationController", "ReplicationController", "{app: a}", "{app: c}",
			`Invalid value: "app=c": ` + refused + "write app: a, as the selector requires (MK173)",
		},
		{
			"a manual selector of a Job", "Job", "{matchLabels: {app: a}}", "{app: c}",
			`Invalid value: "app=c": ` + refused + "write app: a, as the selector requires (MK173)",
		},
		{"a Rollout", "Rollout", "{matchLabels: {app: a}}", "{app: c}", ""},
		{
			"secrets", "Deployment", `{matchLabels: {app: "$secret-a", tier: b}}`, `{app: "$secret-c"}`,
			`Invalid value: "[secret]": ` + refused + "write tier: b, as the selector requires (MK173)",
		},
		{"a selector that is not known", "Deployment", `"$unknown"`, "{app: c}", ""},
		{"a value of it that is not known", "Deployment", `{matchLabels: {app: a, tier: "$unknown"}}`, "{app: c}", ""},
		{"a label that is not known", "Deployment", "{matchLabels: {app: a}}", `{app: "$unknown"}`, ""},
		{"labels that are not known", "Deployment", "{matchLabels: {app: a}}", `"$unknown"`, ""},
		{"a placeholder", "Deployment", "{matchLabels: {app: '${APP}'}}", "{app: c}", ""},
		{"a label that is a placeholder", "Deployment", "{matchLabels: {app: a}}", "{app: '{{app}}'}", ""},
		{"no selector", "Deployment", "null", "{app: c}", ""},
		{"an empty selector", "Deployment", "{}", "{app: c}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var want []string
			if tt.want != "" {
				want = []string{"spec.template.metadata.labels: " + tt.want}
			}
			text := strings.NewReplacer("KIND", tt.kind, "SELECTOR", tt.selector, "LABELS", tt.labels).Replace(
				"{kind: KIND, spec: {manualSelector: true, selector: SELECTOR, template: {metadata: {labels: " +
					"LABELS}, spec: " +
					"{restartPolicy: Never, containers: []}}}}")
			wantFindings(t, object(t, text), v136, "MK173", want...)
		})
	}
}

func TestSelectorsOfJobs(t *testing.T) {
	t.Parallel()
	const pod = "template: {metadata: {labels: {app: a}}, spec: {restartPolicy: Never, containers: []}}"
	const refused = `spec.selector: Invalid value: "app=a": ` + "`selector` not auto-generated: remove the selector " +
		"(MK174)"
	for _, tt := range []struct {
		name, kind, spec string
		want             []string
	}{
		{"a selector", "Job", "selector: {matchLabels: {app: a}}", []string{refused}},
		{"no manual selector", "Job", "manualSelector: false, selector: {matchLabels: {app: a}}", []string{refused}},
		{"a manual selector", "Job", "manualSelector: true, selector: {matchLabels: {app: a}}", nil},
		{
			"a manual selector that is missing", "Job", "manualSelector: true",
			[]string{"spec.selector: Required value: remove manualSelector, or write the labels of the template as " +
				"the selector (MK174)"},
		},
		{"a manual selector that is not known", "Job", `manualSelector: true, selector: "$unknown"`, nil},
		{"a generated selector", "Job", "selector: {matchLabels: {batch.kubernetes.io/controller-uid: abc}}", nil},
		{"no selector", "Job", "", nil},
		{"an empty selector", "Job", "selector: {}", nil},
		{"not known", "Job", `selector: "$unknown"`, nil},
		{"manual or not", "Job", `manualSelector: "$unknown", selector: {matchLabels: {app: a}}`, nil},
		{
			"a secret", "Job", `selector: {matchExpressions: [{key: app, operator: In, values: ["$secret-a"]}]}`,
			[]string{`spec.selector: Invalid value: "[secret]": ` +
				"`selector` not auto-generated: remove the selector (MK174)"},
		},
		{
			"a CronJob", "CronJob", "manualSelector: true, selector: {matchLabels: {app: a}}",
			[]string{
				`spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false": ` +
					"remove it (MK174)",
				`spec.jobTemplate.spec.selector: Invalid value: "app=a": ` + "`selector` will be auto-generated: " +
					"remove the selector (MK174)",
			},
		},
		{"a CronJob without a selector", "CronJob", "manualSelector: false", nil},
		{"a CronJob with unknown fields", "CronJob", `manualSelector: "$unknown", selector: "$unknown"`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			spec := strings.TrimSuffix(pod+", "+tt.spec, ", ")
			if tt.kind == "CronJob" {
				spec = "schedule: '* * * * *', jobTemplate: {spec: {" + spec + "}}"
			}
			wantFindings(t, object(t, "{kind: "+tt.kind+", spec: {"+spec+"}}"), v136, "MK173,MK174", tt.want...)
		})
	}
}

func TestWorkloadsSelectPods(t *testing.T) {
	t.Parallel()
	const fix = ": write labels of the pod template that other pods do not have (MK176)"
	empty := func(value, kind string) []string {
		return []string{"spec.selector: Invalid value: " + value + ": empty selector is invalid for " + kind + fix}
	}
	for _, tt := range []struct {
		name, version, kind, spec string
		want                      []string
	}{
		{"a selector", "apps/v1", "Deployment", "selector: {matchLabels: {app: a}}", nil},
		{
			"an expression", "apps/v1", "DaemonSet", "selector: {matchExpressions: [{key: app, operator: Exists}]}",
			nil,
		},
		{"no selector", "apps/v1", "Deployment", "", nil},
		{"an empty one of a Deployment", "apps/v1", "Deployment", "selector: {}", empty(`"{}"`, "deployment")},
		{"no labels", "apps/v1", "ReplicaSet", "selector: {matchLabels: {}}", empty(`"{}"`, "deployment")},
		{"an empty one of a DaemonSet", "apps/v1", "DaemonSet", "selector: {}", empty(`"{}"`, "daemonset")},
		{
			"no expressions", "apps/v1", "StatefulSet", "selector: {matchExpressions: []}",
			empty(`"{}"`, "statefulset"),
		},
		{"not known", "apps/v1", "Deployment", `selector: "$unknown"`, nil},
		{"labels that are not known", "apps/v1", "Deployment", `selector: {matchLabels: "$unknown"}`, nil},
		{"expressions that are not known", "apps/v1", "Deployment", `selector: {matchExpressions: "$unknown"}`, nil},
		{"malformed", "apps/v1", "Deployment", `selector: [a]`, nil},
		{"a kind that gets one", "v1", "ReplicationController", "", nil},
		{"a kind that generates one", "batch/v1", "Job", "", nil},
		{"an old version", "apps/v1beta1", "Deployment", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			const pod = "template: {metadata: {labels: {app: a}}, spec: {containers: []}}"
			text := "{apiVersion: " + tt.version + ", kind: " + tt.kind + ", spec: {" + tt.spec + ", " + pod + "}}"
			wantFindings(t, object(t, strings.Replace(text, "{, ", "{", 1)), v136, "MK173,MK174,MK176", tt.want...)
		})
	}
}

func TestNamesInAPodAreUnique(t *testing.T) {
	t.Parallel()
	const fix = ": give it another name, or remove it (MK175)"
	for _, tt := range []struct {
		name, spec string
		want       []string
	}{
		{"different", "containers: [{name: a}, {name: b}], initContainers: [{name: c}], volumes: [{name: a}]", nil},
		{
			"containers", "containers: [{name: a}, {name: b}, {name: a}]",
			[]string{`spec.containers[2].name: Duplicate value: "a"` + fix},
		},
		{
			"an init container", "containers: [{name: a}], initContainers: [{name: a}]",
			[]string{`spec.initContainers[0].name: Duplicate value: "a"` + fix},
		},
		{
			"volumes", "containers: [{name: a}], volumes: [{name: d}, {name: d}, {name: d}]",
			[]string{
				`spec.volumes[1].name: Duplicate value: "d"` + fix, `spec.volumes[2].name: Duplicate value: "d"` + fix,
			},
		},
		{
			"ports",
			"containers: [{name: a, ports: [{name: web}, {name: web}, {}, {}]}, {name: b, ports: [{name: web}]}]",
			[]string{`spec.containers[0].ports[1].name: Duplicate value: "web"` + fix},
		},
		{
			"mount paths", "containers: [{name: a, volumeMounts: [{mountPath: /d}, {mountPath: /e}, " +
				"{mountPath: /d}]}, {name: b, volumeMounts: [{mountPath: /d}]}]",
			[]string{`spec.containers[0].volumeMounts[2].mountPath: Invalid value: "/d": must be unique: mount it in ` +
				"another directory, or remove it (MK175)"},
		},
		{
			"secrets", `containers: [{name: a}, {name: "$secret-a"}]`,
			[]string{`spec.containers[1].name: Duplicate value: "[secret]"` + fix},
		},
		{"not known", `containers: [{name: "$unknown"}, {name: "$unknown"}], volumes: ["$unknown", "$unknown"]`, nil},
		{"no names", "containers: [{}, {}], volumes: [{}, {}]", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, "{kind: Pod, spec: {"+tt.spec+"}}"), v136, "MK175", tt.want...)
		})
	}
	// The API server replaces the volumes that have the name of a template.
	wantFindings(
		t,
		object(t, "{kind: StatefulSet, spec: {selector: {}, volumeClaimTemplates: [{metadata: {name: d}}], "+
			"template: {spec: {containers: [{name: a}], volumes: [{name: d}, {name: d}]}}}}"),
		v136,
		"MK175",
	)
	wantFindings(
		t,
		object(t, "{kind: Deployment, spec: {template: {spec: {containers: [{name: a}, {name: a}]}}}}"),
		v136,
		"MK175",
	)
}

func TestObjectsHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	const text = `"shop": another object of this kind has the name: give it another name, or remove one of the two ` +
		`(MK591)`
	both := []string{"0 info metadata.name: " + text, "1 info metadata.name: " + text}
	const first = "{apiVersion: apps/v1, kind: Widget, metadata: {name: shop, namespace: a}}"
	for _, tt := range []struct {
		name, first, second string
		want                []string
	}{
		{"the same", first, first, both},
		{"another version", first, strings.Replace(first, "v1", "v1beta2", 1), both},
		{"another group", first, strings.Replace(first, "apps", "example.com", 1), nil},
		{"another kind", first, strings.Replace(first, "Widget", "Gadget", 1), nil},
		{"another name", first, strings.Replace(first, "shop", "store", 1), nil},
		{"another namespace", first, strings.Replace(first, "namespace: a", "namespace: b", 1), nil},
		{"no namespace", first, strings.Replace(first, ", namespace: a", "", 1), nil},
		{
			"pods", "{apiVersion: v1, kind: Pod, metadata: {name: shop}, spec: {containers: [{name: a}]}}",
			"{apiVersion: v1, kind: Pod, metadata: {name: shop}, spec: {containers: [{name: b}]}}", both,
		},
		{
			"Services", "{apiVersion: v1, kind: Service, metadata: {name: shop}}",
			"{apiVersion: v1, kind: Service, metadata: {name: shop}}", both,
		},
		{
			"a hook of Helm", first, strings.Replace(first, "{name", "{annotations: {helm.sh/hook: pre-install}, "+
				"name", 1),
			nil,
		},
		{
			"a hook of Argo CD", first,
			strings.Replace(first, "{name", "{annotations: {argocd.argoproj.io/hook: PreSync}, name", 1), nil,
		},
		{
			"names that are generated", strings.Replace(first, "name:", "generateName:", 1),
			strings.Replace(first, "name:", "generateName:", 1), nil,
		},
		{
			"names that are not known", strings.Replace(first, "shop", `"$unknown"`, 1),
			strings.Replace(first, "shop", `"$unknown"`, 1), nil,
		},
		{
			"namespaces that are not known", strings.Replace(first, "namespace: a", `namespace: "$unknown"`, 1),
			strings.Replace(first, "namespace: a", `namespace: "$unknown"`, 1), nil,
		},
		{
			"placeholders", strings.Replace(first, "shop", "'${NAME}'", 1),
			strings.Replace(first, "shop", "'${NAME}'", 1),
			nil,
		},
		{"one object", first, "{apiVersion: v1, kind: Service, metadata: {name: shop}}", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := acrossTexts(t, v136, tt.first+"\n---\n"+tt.second+"\n", "MK591")
			diffFindings(t, tt.want, got)
		})
	}
}

func TestNamesAndLabelsAreValid(t *testing.T) {
	t.Parallel()
	const ends = ", and begin and end with a letter or a digit: "
	const subdomain = ": must have only lower-case letters, digits, - and periods" + ends
	const label = ": must have only lower-case letters, digits and -" + ends
	const value = ": must have only letters, digits, -, _ and periods" + ends
	const key = ": must have only letters, digits, -, _ and periods behind the prefix and /, if it has one" + ends +
		"correct the key of the label (MK177)"
	for _, tt := range []struct {
		name, object string
		want         []string
	}{
		{"valid", "{apiVersion: v1, kind: Pod, metadata: {name: a.b-1, namespace: c, labels: {a/b: C_d, e: ''}}}", nil},
		{
			"capitals", "{apiVersion: v1, kind: ConfigMap, metadata: {name: Shop_A}}",
			[]string{`metadata.name: Invalid value: "Shop_A"` + subdomain + `write "shop-a" (MK177)`},
		},
		{
			"a period in the name of a Service", "{apiVersion: v1, kind: Service, metadata: {name: a.b, namespace: A}}",
			[]string{
				`metadata.name: Invalid value: "a.b": must not contain dots: write a valid one (MK177)`,
				`metadata.namespace: Invalid value: "A"` + label + `write "a" (MK177)`,
			},
		},
		{
			"a role", "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: 'system:A'}}", nil,
		},
		{"another Service", "{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: A}}", nil},
		{
			"labels",
			"{apiVersion: v1, kind: Pod, metadata: {labels: {a b: c, d: e f, g: '$secret-h i', j: '$unknown'}}}",
			[]string{
				`metadata.labels[a b]: Invalid value: "a b"` + key,
				`metadata.labels[d]: Invalid value: "e f"` + value + `write "e-f" (MK177)`,
				`metadata.labels[g]: Invalid value: "[secret]"` + value + "write a valid one (MK177)",
			},
		},
		{
			"labels of a template", "{apiVersion: apps/v1, kind: Deployment, spec: {selector: {}, template: {spec: " +
				"{containers: []}, metadata: {labels: {a: b/c}}}}}",
			[]string{`spec.template.metadata.labels[a]: Invalid value: "b/c"` + value + `write "b-c" (MK177)`},
		},
		{
			"a word in a name", "{apiVersion: v1, kind: Secret, metadata: {name: backup-TIMESTAMP}}",
			[]string{`metadata.name: Invalid value: "backup-TIMESTAMP"` + subdomain +
				"put a value in place of the placeholder first (MK177)"},
		},
		{
			"a word in place of a name", "{apiVersion: v1, kind: Secret, metadata: {name: REPLACE_ME}}",
			[]string{`metadata.name: Invalid value: "REPLACE_ME"` + subdomain +
				"put a value in place of the placeholder first (MK177)"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, tt.object), v136, "MK177", tt.want...)
		})
	}
}

// The two findings about a selector of a Job have the same fix.
func TestFixesOfAJobWithASelector(t *testing.T) {
	t.Parallel()
	job := object(t, "{apiVersion: batch/v1, kind: Job, spec: {selector: {matchLabels: {app: a}}, template: {spec: "+
		"{restartPolicy: Never, containers: [{name: a, image: a}]}}}}")
	const refused = "`selector` does not match template `labels`: remove the selector (MK173)"
	wantFindings(t, job, v136, "MK173", `spec.template.metadata.labels: Invalid value: "": `+refused)
	wantFindings(t, job, v136, "MK174",
		"spec.selector: Invalid value: \"app=a\": `selector` not auto-generated: remove the selector (MK174)")
}
