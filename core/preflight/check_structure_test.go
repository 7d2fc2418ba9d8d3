package preflight_test

import (
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/preflight"
)

// inDeployment returns a Deployment of Windows pods, with additions to its pods' spec and to its container.
func inDeployment(spec, container string) string {
	pod := "{" + flow("os: {name: windows}, nodeSelector: {kubernetes.io/os: windows}", spec,
		"containers: [{"+flow("name: shop, image: shop.example.com/shop", container)+"}]") + "}"
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: shop}, spec: {selector: {matchLabels: {app: " +
		"shop}}, template: {metadata: {labels: {app: shop}}, spec: " + pod + "}}}"
}

// Public manifests for Windows that the API server refused, and similar mistakes.
func TestStructureOfWindowsPods(t *testing.T) {
	t.Parallel()
	const template = "spec.template.spec."
	for _, tt := range []struct {
		name, object string
		want         []string
	}{
		{
			"os is a text", "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {os: windows, containers: " +
				"[{name: a}]}}",
			[]string{`spec.os: "windows": is a string, and must be an object: write {name: windows} (MK166)`},
		},
		{
			"windowsOptions in the wrong case",
			inDeployment("securityContext: {windowsOptions: {hostprocess: true, runAsUsername: ContainerUser}}", ""),
			[]string{
				template + "securityContext.windowsOptions.hostprocess: true: is not a field of a " +
					"WindowsSecurityContextOptions: did you mean hostProcess? (MK164)",
				template + `securityContext.windowsOptions.runAsUsername: "ContainerUser": is not a field of a ` +
					"WindowsSecurityContextOptions: did you mean runAsUserName? (MK164)",
			},
		},
		{
			"the beginning of a name",
			inDeployment("securityContext: {windowsOptions: {runAsUser: shop}}, "+
				"affinity: {nodeAffinity: {requiredDuringScheduling: {}}}", ""),
			[]string{
				template + "affinity.nodeAffinity.requiredDuringScheduling: is not a field of a NodeAffinity: did " +
					"you mean requiredDuringSchedulingIgnoredDuringExecution? (MK164)",
				template + "securityContext.windowsOptions.runAsUser: … (MK164)",
			},
		},
		{
			"a toleration's effect in upper case",
			inDeployment("tolerations: [{key: os, value: windows, Effect: NoSchedule}]", ""),
			[]string{template + `tolerations[0].Effect: "NoSchedule": is not a field of a Toleration: did you mean ` +
				`effect? (MK164)`},
		},
		{
			"a command without a list", inDeployment("", "command: azure-cns.exe"),
			[]string{template + `containers[0].command: "azure-cns.exe": is a string, and must be a list: write ` +
				`["azure-cns.exe"] (MK166)`},
		},
		{
			"a boolean in quotes", inDeployment(`hostNetwork: "true"`, ""),
			[]string{template + `hostNetwork: "true": is a string, and must be a boolean: remove the quotes (MK166)`},
		},
		{
			"a port in quotes", inDeployment("", `ports: [{containerPort: "8080"}]`),
			[]string{template + `containers[0].ports[0].containerPort: "8080": is a string, and must be an integer: ` +
				`remove the ` + "quotes (MK166)"},
		},
		{
			"values of the environment without quotes",
			inDeployment("", "env: [{name: A, value: 1}, {name: B, value: true}, {name: C, value: 1.5}, "+
				"{name: D, value: false}]"),
			[]string{
				template + "containers[0].env[0].value: … (MK166)",
				template + "containers[0].env[1].value: true: is a boolean, and must be a string: " +
					"quote it, as yes, on and y are true as well (MK166)",
				template + "containers[0].env[2].value: 1.5: is a number, and must be a string: quote it, as a " +
					"number loses its last zeros (1.30 is 1.3) (MK166)",
				template + "containers[0].env[3].value: false: is a boolean, and must be a string: " +
					"quote it, as no, off and n are false as well (MK166)",
			},
		},
		{
			"a map in place of a list", inDeployment("volumes: {name: data}", ""),
			[]string{template + "volumes: is an object, and must be a list: begin each element with a dash (MK166)"},
		},
		{
			"a list in place of a map", inDeployment("securityContext: [{runAsNonRoot: true}]", ""),
			[]string{template + "securityContext: is a list, and must be an object: remove the dash (MK166)"},
		},
		{
			"hostProcess one level too high", inDeployment("securityContext: {hostProcess: true}", ""),
			[]string{template + "securityContext.hostProcess: true: is not a field of a PodSecurityContext: did you " +
				"mean windowsOptions.hostProcess? (MK164)"},
		},
		{
			"a node selector in the container", inDeployment("", "nodeSelector: {kubernetes.io/os: windows}"),
			[]string{template + "containers[0].nodeSelector: is not a field of a Container: did you mean " + template +
				"nodeSelector? (MK164)"},
		},
		{
			"nothing like it", inDeployment("", "windowsVersion: ltsc2022"),
			[]string{template + `containers[0].windowsVersion: "ltsc2022": is not a field of a Container: remove ` +
				`it (MK164)`},
		},
		{
			"a quantity with a space", inDeployment("", "resources: {limits: {memory: 2 Gi}}"),
			[]string{template + `containers[0].resources.limits[memory]: "2 Gi": is not a quantity: write a number ` +
				`with a suffix ` + "of Kubernetes, 500m or 2Gi for example (MK167)"},
		},
		{
			"a number that is too large", inDeployment("terminationGracePeriodSeconds: "+
				"3000000000", "ports: [{containerPort: 3000000000}]"),
			[]string{template + "containers[0].ports[0].containerPort: 3000000000: does not fit in 32 bits: write a " +
				"number from -2147483648 to 2147483647 (MK167)"},
		},
		{
			"a fraction", inDeployment("terminationGracePeriodSeconds: 1.5", ""),
			[]string{template + "terminationGracePeriodSeconds: 1.5: is not a whole number: round it (MK167)"},
		},
		{
			"what is right", inDeployment("hostNetwork: null, terminationGracePeriodSeconds: 30.0",
				"command: [a.exe], ports: [{containerPort: 80}], livenessProbe: {httpGet: {port: http}}, "+
					"readinessProbe: {tcpSocket: {port: 80}}, resources: {limits: {cpu: 0.5, memory: 1e9}}"),
			nil,
		},
		{
			"what is not known yet", inDeployment(`hostNetwork: "$unknown", volumes: "$unknown", tolerations: `+
				`["$unknown"]`,
				`command: "$unknown", ports: [{containerPort: "$unknown"}]`),
			nil,
		},
		{
			"a secret is not shown", inDeployment(`hostNetwork: "$secret-yes", volumes: "$secret-data"`, ""),
			[]string{
				template + "hostNetwork: [secret]: must be a boolean: write true or false (MK166)",
				template + "volumes: [secret]: must be a list: write a list (MK166)",
			},
		},
		{
			"the pods of a removed version", strings.Replace(
				inDeployment("tolerations: [{key: os, value: windows, Effect: "+
					"NoSchedule}]", ""), "apps/v1", "apps/v1beta1", 1),
			[]string{
				`apiVersion: "apps/v1beta1": is not a version that the API server serves for a Deployment since ` +
					`Kubernetes ` + "1.16: write apps/v1 (MK104)",
				template + "tolerations[0].Effect: … (MK164)",
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, tt.object), v136, "MK104,MK164,MK165,MK166,MK167,MK168,MK169", tt.want...)
		})
	}
}

func TestStructureOfOtherKinds(t *testing.T) {
	t.Parallel()
	const meta = "metadata: {name: a}"
	for _, tt := range []struct {
		name, object string
		want         []string
	}{
		{
			"labels and annotations without quotes",
			"apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {version: 1.0}, annotations: {a: true}}",
			[]string{"metadata.annotations[a]: … (MK166)", "metadata.labels[version]: … (MK166)"},
		},
		{
			"the value of a ConfigMap", "apiVersion: v1, kind: ConfigMap, " + meta + ", data: {port: 8080, " +
				"settings: {a: b}}",
			[]string{
				"data[port]: … (MK166)",
				"data[settings]: is an object, and must be a string: write a string (MK166)",
			},
		},
		{
			"a Secret in clear text", "apiVersion: v1, kind: Secret, " + meta + ", data: {password: hunter-2}, " +
				"stringdata: {}",
			[]string{
				"data[password]: [secret]: is not in base64: encode it, or put the text itself into stringData (MK167)",
				"stringdata: is not a field of a Secret: did you mean stringData? (MK164)",
			},
		},
		{
			"the ports of a Service", "apiVersion: v1, kind: Service, " + meta + ", spec: {ports: [{port: http, " +
				"targetport: 80}]}",
			[]string{
				`spec.ports[0].port: "http": is a string, and must be an integer: write a number (MK166)`,
				"spec.ports[0].targetport: 80: is not a field of a ServicePort: did you mean targetPort? (MK164)",
			},
		},
		{
			"an old Ingress in the new version", "apiVersion: networking.k8s.io/v1, kind: Ingress, " + meta +
				", spec: {rules: [{http: {paths: [{backend: {serviceName: a, servicePort: 80}}]}}]}",
			[]string{
				`spec.rules[0].http.paths[0].backend.serviceName: "a": is not a field of an IngressBackend: did you ` +
					`mean ` + "service.name? (MK164)",
				"spec.rules[0].http.paths[0].backend.servicePort: 80: is not a field of an IngressBackend: did you " +
					"mean service.port? (MK164)",
			},
		},
		{
			"a time", "apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: a, creationTimestamp: " +
				"2026-11-24 08h}, spec: {renewTime: '2026-11-24T08:00:00Z'}",
			[]string{
				`metadata.creationTimestamp: "2026-11-24 08h": is not a time: write it as in RFC 3339, ` +
					"2026-11-24T08:00:00Z for example (MK167)",
				`spec.renewTime: "2026-11-24T08:00:00Z": is not a time with microseconds: write it as ` +
					"2026-11-24T08:00:00.000000Z (MK167)",
			},
		},
		{
			"the definition of a custom resource", "apiVersion: apiextensions.k8s.io/v1, kind: " +
				"CustomResourceDefinition, " + meta +
				", spec: {versions: [{name: v1, schema: {openAPIV3Schema: {properties: {spec: {typo: string, items: " +
				"{anything: true}, additionalProperties: 3, x_kubernetes_int_or_string: true}}}}}]}",
			[]string{
				"spec.versions[0].schema.openAPIV3Schema.properties[spec].additionalProperties: 3: is a number, and " +
					"must be a boolean or a schema: write a boolean or a schema (MK166)",
				`spec.versions[0].schema.openAPIV3Schema.properties[spec].typo: "string": is not a field of a ` +
					"JSONSchemaProps: did you mean type? (MK164)",
			},
		},
		{
			"version and kind", "apiVersion: 1, kind: Service, spec: {type: 1}",
			[]string{"apiVersion: … (MK166)", "spec.type: … (MK166)"},
		},
		{"a custom resource", "apiVersion: example.com/v1, kind: Deployment, " + meta + ", spec: {Replicas: '3'}", nil},
		{
			"another API's kind", "apiVersion: argoproj.io/v1alpha1, kind: Rollout, " + meta +
				", spec: {template: {spec: {Containers: 3}}}", nil,
		},
		{
			"a kind that is not a string", "apiVersion: v1, kind: [Pod]",
			[]string{"kind: is a list, and must be a string: write its element alone (MK166)"},
		},
		{"a version that is not a string", "apiVersion: 1, kind: ConfigMap", []string{"apiVersion: … (MK166)"}},
		{"a list", "apiVersion: v1, kind: List, items: [{Kind: a}]", nil},
		{"nothing at all", "a: b", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantFindings(t, object(t, "{"+tt.object+"}"), v136, "MK104,MK164,MK165,MK166,MK167,MK168,MK169", tt.want...)
		})
	}
}

// A placeholder is not an error.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	for value, severity := range map[string]preflight.Severity{
		"${REPLICAS}": preflight.Warning, "{{ .Values.replicas }}": preflight.Warning, "$(REPLICAS)": preflight.Warning,
		"__REPLICAS__": preflight.Warning, "<replicas>": preflight.Warning, "$REPLICAS": preflight.Warning,
		"AUTOMATIC_REPLACE": preflight.Warning, "changeme": preflight.Warning,
		"three": preflight.Error, "THREE": preflight.Error, "3$": preflight.Error, "<3": preflight.Error,
	} {
		o := object(t, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: '"+value+"'}}")
		found := preflight.Check(o, v136)
		if len(found) != 1 || found[0].Rule != "MK166" || found[0].Severity != severity {
			t.Errorf("%s: %v, want MK166 as %s", value, found, severity)
		}
	}
}

// A field that only some versions have is an error if the version is known.
func TestFieldsOfOtherVersions(t *testing.T) {
	t.Parallel()
	const only = "spec.workloadRef: is a field of a PodSpec only in Kubernetes 1.35: remove it for other versions " +
		"(MK165)"
	const typo = `spec.hostNames: "a": is not a field of a PodSpec`
	for _, tt := range []struct {
		version string
		want    []string
	}{
		{"1.34", []string{"error " + typo + ": did you mean hostname? (MK164)", "error " + only}},
		{"1.35", []string{"error " + typo + ": … (MK164)"}},
		{"1.36", []string{"error " + typo + ": … (MK164)", "error " + only}},
		{"", []string{"error " + typo + ": … (MK164)", "warning " + only}},
		// Later versions may have fields that are unknown here.
		{"1.40", []string{
			"warning " + typo + " in Kubernetes 1.34 to 1.37: did you mean hostname? (MK164)", "error " + only,
		}},
		{"1.33", []string{
			"warning " + typo + " in Kubernetes 1.34 to 1.37: did you mean hostname? (MK164)", "error " + only,
		}},
	} {
		t.Run("Kubernetes "+tt.version, func(t *testing.T) {
			t.Parallel()
			pod := object(t, "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {workloadRef: {name: a}, "+
				"hostNames: a}}")
			var got []string
			for _, f := range preflight.Check(pod, preflight.Options{KubernetesVersion: tt.version}) {
				if f.Rule == "MK164" || f.Rule == "MK165" {
					got = append(got, string(f.Severity)+" "+f.String())
				}
			}
			diffFindings(t, tt.want, got)
		})
	}
}

// A field whose feature gate is off by default is dropped.
func TestFieldsOfFeatureGates(t *testing.T) {
	t.Parallel()
	const dropped = "warning spec.volumes[0].projected.sources[0].podCertificate: is a field that API servers drop " +
		"until Kubernetes 1.36 if the feature gate PodCertificateRequest is not on: remove it, or set " +
		"--feature-gates=PodCertificateRequest=true (MK171)"
	const group = "warning spec.schedulingGroup: is a field that API servers drop if the feature gate " +
		"GenericWorkload is not on: remove it, or set --feature-gates=GenericWorkload=true (MK171)"
	const owner = "warning spec.volumes[1].secret.defaultUser: 1000: is a field that API servers drop if the feature " +
		"gate AtomicWriteVolumeUserFields is not on: remove it, or set " +
		"--feature-gates=AtomicWriteVolumeUserFields=true (MK171)"
	pod := object(t, "{apiVersion: v1, kind: Pod, spec: {schedulingGroup: {podGroupName: shop}, volumes: ["+
		"{name: a, projected: {sources: [{podCertificate: {signerName: example.com/a, keyType: ED25519}}, "+
		"{configMap: {name: a}}, {clusterTrustBundle: null}, {podCertificate: '$unknown'}]}}, "+
		"{name: b, secret: {secretName: a, defaultUser: 1000}}]}}")
	for version, want := range map[string][]string{
		"1.35": {dropped}, "1.36": {group, dropped}, "1.37": {group, owner}, "1.40": nil, "": {dropped},
	} {
		var got []string
		for _, f := range preflight.Check(pod, preflight.Options{KubernetesVersion: version}) {
			if f.Rule == "MK171" {
				got = append(got, string(f.Severity)+" "+f.String())
			}
		}
		diffFindings(t, want, got)
	}
}

// A kind that only some versions have is an error if the version is known.
func TestKindsOfOtherVersions(t *testing.T) {
	t.Parallel()
	policy := object(t, "{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicy, "+
		"metadata: {name: a}, spec: {failurepolicy: Fail}}")
	const only = `apiVersion: "admissionregistration.k8s.io/v1": is a version that API servers serve for a ` +
		"MutatingAdmissionPolicy only since Kubernetes 1.36: write a version that "
	const typo = `error spec.failurepolicy: "Fail": is not a field of a MutatingAdmissionPolicySpec: did you mean ` +
		"failurePolicy? (MK164)"
	for version, want := range map[string][]string{
		"1.36": {typo}, "1.37": {typo}, "1.35": {"error " + only + "Kubernetes 1.35 serves (MK104)"},
		"": {"warning " + only + "the API server serves (MK104)", typo},
	} {
		var got []string
		for _, f := range preflight.Check(policy, preflight.Options{KubernetesVersion: version}) {
			got = append(got, string(f.Severity)+" "+f.String())
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", version, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
