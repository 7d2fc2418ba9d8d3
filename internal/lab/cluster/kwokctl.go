package cluster

import (
	"fmt"
	"strings"

	nodeheartbeat "sigs.k8s.io/kwok/kustomize/stage/node/heartbeat-with-lease"
)

// options keep every port off the network: by default kwokctl listens on all addresses. For the
// authentication of etcd's clients see [etcdKey]. The ports are set because kwokctl takes the
// first free ones, which would be the same for two clusters that are created at once.
//
// etcd does not wait for the disk. It waited 48 s in total while thousands of pods were created.
// If a power failure damages a lab, create it again.
//
// Requests are not limited: the control plane has only the lab's clients, and a machine can
// simulate at most about a thousand nodes.
//
// A node whose KWOK is slow to renew its lease is not lost: the control plane waits for an
// hour, which is this grace period times kwokctl's heartbeat factor of five. It would mark
// the pods of a lost node as not ready, and KWOK would not make them ready again. [MarkUnreachable] makes
// the control plane notice deleted machines.
//
// Leader election is off, because each component runs once. A leader ends when it
// cannot renew its lease in time, on a busy machine for example, and after a restart
// it waits until its old lease expires.
const options = `kind: KwokctlConfiguration
apiVersion: config.kwok.x-k8s.io/v1alpha1
options:
  bindAddress: 127.0.0.1
  kubeApiserverPort: %d
  kubeControllerManagerPort: %d
  kubeSchedulerPort: %d
  kwokControllerPort: %d
  etcdPort: %d
  etcdPeerPort: %d
  disableQPSLimits: true
  kubeControllerManagerNodeMonitorGracePeriodMilliseconds: 720000
componentsPatches:
- name: etcd
  extraArgs:
  - {key: unsafe-no-fsync, value: "true"}
- name: kube-controller-manager
  extraArgs:
  - {key: leader-elect, value: "false"}
- name: kube-scheduler
  extraArgs:
  - {key: leader-elect, value: "false"}
`

// controllerOptions close the endpoints of KWOK's controller that a kubelet has for exec, attach, port forwarding and
// logs, and those of Go's profiler: its port does not ask who the client is. SECURITY.md lists the remaining ones.
// With a configuration, KWOK sets no defaults (sigs.k8s.io/kwok/pkg/apis/config/v1alpha1 has them).
const controllerOptions = `apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokConfiguration
options:
  enableDebuggingHandlers: false
  enableProfilingHandler: false
  cidr: 10.0.0.0/24
  podPlayStageParallelism: 4
  nodePlayStageParallelism: 4
  nodeLeaseParallelism: 4
  podsOnNodeSyncParallelism: 1
  enablePodsOnNodeSyncListPager: true
`

// kwokctlConfig returns the configuration of kwokctl. Configured stages replace all of
// KWOK's own stages, so it contains those as well. The first port is the API server's.
func kwokctlConfig(ports [6]int, etcd etcdKey, loadBalancers bool) string {
	documents := []string{
		fmt.Sprintf(options, ports[0], ports[1], ports[2], ports[3], ports[4], ports[5]) +
			etcd.patches(ports[4], ports[5]),
		controllerOptions, nodeheartbeat.DefaultNodeHeartbeatWithLease,
	}
	documents = append(documents, stages()...)
	if loadBalancers {
		documents = append(documents, serviceLoadBalancer)
	}
	return strings.Join(documents, separator)
}
