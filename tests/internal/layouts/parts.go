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
