package repositories_test

// noise are files that a repository has beside its manifests, and objects without findings. Nothing in them is wrong.
var noise = []struct{ name, text string }{
	{"secret.sops.yaml", `apiVersion: v1
kind: Secret
metadata: {name: token, namespace: shop}
stringData: {token: "ENC[AES256_GCM,data:abc,iv:abc,tag:abc,type:str]"}
sops:
  age: [{recipient: age1abc, enc: abc}]
  lastmodified: "2026-01-01T00:00:00Z"
  mac: ENC[AES256_GCM,data:abc,iv:abc,tag:abc,type:str]
  version: 3.9.0
`},
	{"sealed.yaml", `apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {name: token, namespace: shop}
spec: {encryptedData: {token: AgBy}, template: {metadata: {name: token}}}
`},
	{"values.yaml", "replicaCount: 2\nimage: {repository: shop.example.com/web, tag: \"\"}\nresources: {}\n"},
	{"values-production.yaml", "nodeSelector: {kubernetes.io/os: windows}\nhostPID: true\n"},
	{"crd.yaml", `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
spec:
  group: example.com
  names: {kind: Shop, plural: shops}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`},
	{"shop.yaml", "apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: one, namespace: shop}\nspec: {size: 3}\n"},
	{"policy.yaml", `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: no-host}
spec:
  rules:
  - name: no-host
    match: {any: [{resources: {kinds: [Pod]}}]}
    validate:
      message: no
      pattern: {spec: {"=(hostPID)": "false", containers: [{image: "*:*", securityContext: {privileged: false}}]}}
`},
	{"constraint.yaml", `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: {name: nohost}
spec:
  crd: {spec: {names: {kind: NoHost}}}
  targets: [{target: admission.k8s.gatekeeper.sh, rego: "package nohost"}]
`},
	{".gitlab-ci.yml", "stages: [check]\ncheck:\n  stage: check\n  script: [mixedkube check .]\n"},
	{"docker-compose.yml", "services:\n  web:\n    image: shop.example.com/web:1\n    privileged: true\n"},
	{"package.json", "{\"name\": \"shop\", \"version\": \"1.0.0\", \"scripts\": {\"build\": \"tsc\"}}\n"},
	{"tsconfig.json", "{\"compilerOptions\": {\"strict\": true}}\n"},
	{"mkdocs.yml", "site_name: shop\nnav: [{Home: index.md}]\n"},
	{"playbook.yml", "- hosts: all\n  tasks:\n  - name: ping\n    ping: {}\n"},
	{"openapi.json", "{\"openapi\": \"3.1.0\", \"info\": {\"title\": \"shop\", \"version\": \"1\"}, \"paths\": {}}\n"},
	{"Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"},
	{"renovate.json", "{\"extends\": [\"config:recommended\"]}\n"},
	{"empty.yaml", "---\n# nothing\n---\n"},
	{"helmrelease.yaml", `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: redis, namespace: shop}
spec:
  interval: 10m
  chart: {spec: {chart: redis, sourceRef: {kind: HelmRepository, name: bitnami}}}
  values: {replica: {nodeSelector: {kubernetes.io/os: windows}, hostPID: true}}
`},
	{"cloudrun.yaml", `apiVersion: serving.knative.dev/v1
kind: Service
metadata: {name: cloud, annotations: {run.googleapis.com/ingress: all}}
spec: {template: {spec: {containers: [{image: shop.example.com/web:1}]}}}
`},
	{
		"component.yaml",
		"apiVersion: dapr.io/v1alpha1\nkind: Component\nmetadata: {name: store}\nspec: {type: state.redis}\n",
	},
}
