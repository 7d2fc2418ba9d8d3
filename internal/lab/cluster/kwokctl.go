package cluster

import (
	"strings"

	nodefast "sigs.k8s.io/kwok/kustomize/stage/node/fast"
	nodeheartbeat "sigs.k8s.io/kwok/kustomize/stage/node/heartbeat-with-lease"
	podfast "sigs.k8s.io/kwok/kustomize/stage/pod/fast"
)

// bindToLoopback keeps every port off the network: kwokctl's default is all
// addresses, with an etcd that asks nobody who he is.
const bindToLoopback = `kind: KwokctlConfiguration
apiVersion: config.kwok.x-k8s.io/v1alpha1
options:
  bindAddress: 127.0.0.1
`

// serviceLoadBalancer plays the cloud's load balancer: a Service gets an
// address of 203.0.113.0/24, which is reserved for documentation, with the last
// number of its cluster IP.
const serviceLoadBalancer = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata:
  name: service-load-balancer
spec:
  resourceRef:
    apiGroup: v1
    kind: Service
  selector:
    matchExpressions:
    - key: .spec.type
      operator: In
      values: [LoadBalancer]
    - key: .status.loadBalancer.ingress
      operator: DoesNotExist
  next:
    statusTemplate: |
      loadBalancer:
        ingress:
        - ip: {{ printf "203.0.113.%s" (splitList "." .spec.clusterIP | last) | Quote }}
`

// kwokctlConfig is what kwokctl reads. Stages that are given replace all of
// KWOK's own, so those stand here as well.
func kwokctlConfig() string {
	return strings.Join([]string{
		bindToLoopback,
		nodefast.DefaultNodeInit, nodeheartbeat.DefaultNodeHeartbeatWithLease,
		podfast.DefaultPodReady, podfast.DefaultPodComplete, podfast.DefaultPodDelete,
		serviceLoadBalancer,
	}, "\n---\n")
}
