package layouts

import "fmt"

// parts are the parts of a workload that layouts write differently.
type parts struct {
	// pods are the fields of the pods' spec, without restartPolicy: lines in block style.
	pods string
	// flow is a pods' spec in flow style, instead of pods.
	flow string
	// metadata are more fields of the pods' metadata: lines in block style.
	metadata string
	// object are more fields of the object's metadata, if that is not the pods' own: indented lines.
	object string
}

func block(w Workload) parts {
	return parts{pods: fmt.Sprintf(`containers:
- name: main
  image: %s
  ports:
  - containerPort: 80
`, w.Image)}
}

func comments(w Workload) parts {
	return parts{
		metadata: "# Who to call.\nannotations:\n  example.com/team: shop # on weekdays\n",
		pods: fmt.Sprintf(`# One container, which serves pages.
containers:
- name: main # the only one
  # Built by the base image's team.
  image: %s # and not older
  ports:
  - containerPort: 80

# Pages in flight end within this time.
terminationGracePeriodSeconds: 30 # in seconds
`, w.Image),
	}
}

func indented(w Workload) parts {
	return parts{pods: fmt.Sprintf(`terminationGracePeriodSeconds: 10
containers:
    -   name: main
        image: "%s"
        env:
            -   name: COLOR
                value: blue
`, w.Image)}
}

func flowSpec(w Workload) parts {
	const flow = "{containers: [{name: main, image: %q}], terminationGracePeriodSeconds: 5%%s}"
	return parts{flow: fmt.Sprintf(flow, w.Image)}
}

func flowContainers(w Workload) parts {
	return parts{pods: fmt.Sprintf(`containers: [
  {name: main, image: %q, env: [{name: COLOR, value: blue}]}, # the pages
]
terminationGracePeriodSeconds: 5
`, w.Image)}
}

func anchors(w Workload) parts {
	return parts{pods: fmt.Sprintf(`initContainers:
- name: prepare
  image: &image %s
  resources: &small
    limits: {memory: 200Mi}
containers:
- name: main
  image: *image
  resources: *small
`, w.Image)}
}

func selectsWindows(w Workload) parts {
	return parts{pods: fmt.Sprintf(`nodeSelector:
  kubernetes.io/os: windows # as before the first cluster
containers:
- name: main
  image: %s
`, w.Image)}
}

func ownLabel(w Workload) parts {
	return parts{pods: fmt.Sprintf(`nodeSelector:
  tier: web # all nodes of the shop have it
containers:
- name: main
  image: %s
`, w.Image)}
}

func ownTolerations(w Workload) parts {
	return parts{pods: fmt.Sprintf(`containers:
- name: main
  image: %s
tolerations:
# During the sale.
- key: sale
  operator: Exists
`, w.Image)}
}

func scalars(w Workload) parts {
	return parts{pods: fmt.Sprintf(`containers:
- name: main
  image: >-
    %s
  command:
  - powershell
  - -Command
  - |
    # nodeSelector: in a text is a text
    Write-Output "started"

    while ($true) { Start-Sleep 60 }
`, w.Image)}
}

func quoted(w Workload) parts {
	return parts{
		metadata: "\"annotations\": {'example.com/team': \"shop\"}\n",
		pods: fmt.Sprintf(`"terminationGracePeriodSeconds": 10
"containers":
- "name": 'main'
  "image": '%s'
`, w.Image),
	}
}

// empty has mappings and lists without anything in them.
func empty(w Workload) parts {
	return parts{
		metadata: "annotations: {} # none yet\n",
		object:   "  annotations: {} # not yet\n",
		pods: fmt.Sprintf(`nodeSelector: {} # any node
affinity: {}
tolerations: [] # none
os: {}
containers:
- name: main
  image: %s
`, w.Image),
	}
}

func emptyFlow(w Workload) parts {
	const flow = "{tolerations: [ ], containers: [{name: main, image: %q}], nodeSelector: { }, " +
		"affinity: {nodeAffinity: {}}%%s}"
	return parts{flow: fmt.Sprintf(flow, w.Image), object: "  annotations: { }\n"}
}

// emptyLines has comments and line ends in brackets.
func emptyLines(w Workload) parts {
	return parts{pods: fmt.Sprintf(`tolerations: [ # none yet
]
nodeSelector: {
  # To be decided.
}
affinity: {
}
containers:
- name: main
  image: %s
`, w.Image)}
}

// null has a key without a value, which always gets one.
func null(w Workload) parts {
	return parts{
		object: "  annotations: # later\n",
		pods:   fmt.Sprintf("containers:\n- name: main\n  image: %s\n", w.Image),
	}
}

func emptyAffinity(w Workload) parts {
	return parts{pods: fmt.Sprintf(`containers:
- name: main
  image: %s
affinity:
  # To be decided.
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}} # by the shop
  podAffinity: {}
`, w.Image)}
}

// emptyTerms has a term that matches no node, and another one.
func emptyTerms(w Workload) parts {
	return parts{pods: affinityOf(w, `      - {} # nothing
      - matchExpressions:
        - {key: tier, operator: Exists}
`)}
}

func emptyExpressions(w Workload) parts {
	return parts{pods: affinityOf(w, `      - matchExpressions: []
        matchFields:
        - {key: metadata.name, operator: NotIn, values: [node-1]}
`)}
}

// ownBuild has an expression for builds that people wrote.
func ownBuild(w Workload) parts {
	return parts{pods: affinityOf(w, `      - matchExpressions:
        - {key: tier, operator: Exists} # all of the shop
        - key: node.kubernetes.io/windows-build
          operator: In
          values: ["10.0.20348", "10.0.26100"] # tested on both
`)}
}

func affinityOf(w Workload, terms string) string {
	return fmt.Sprintf(`affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
%scontainers:
- name: main
  image: %s
`, terms, w.Image)
}
