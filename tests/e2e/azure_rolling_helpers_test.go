package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

const (
	// minute is how long a minute of Azure takes in these tests.
	minute = 500 * time.Millisecond
	// shortestDrain and longestDrain are the limits of drainTimeoutInMinutes. Only a drain that a budget blocks is short:
	// the others have time on a slow machine, too.
	shortestDrain, longestDrain = 5, 1440
)

// rollingCloud returns a simulated Azure whose pools are nodes of a lab.
func rollingCloud(t *testing.T, l labtest.Lab) *arm.Cloud {
	t.Helper()
	options := azurenodes.Options(l.Kubeconfig())
	options.Minute, options.Features, options.WindowsUpgrade = minute, []string{arm.FeatureResize}, true
	cloud, err := arm.Open(l.AzureDir(), options)
	check(t, err)
	_, err = cloud.Put(t.Context(), rollingGroup, arm.Body{"location": "westeurope"})
	check(t, err)
	return cloud
}

const rollingGroup = "/subscriptions/" + armclient.SubscriptionID + "/resourceGroups/rolling"

// rolling is a pool with a Deployment on it, in a cluster and a namespace of its own.
type rolling struct {
	cloud    *arm.Cloud
	client   kubernetes.Interface
	id, pool string
	// namespace has the Deployment.
	namespace string
	// before are the machines of the nodes before the change, by the names of the nodes.
	before map[string]string
	// replicas is the number of pods, and atLeast the fewest that may be ready.
	replicas, atLeast int
	// stop ends the watches.
	stop context.CancelFunc

	mutex sync.Mutex
	// fewest is the smallest number of ready pods, most the largest number of nodes, and changes the number of changes of
	// both.
	fewest, most, changes int
}

// startRolling creates the cluster and the pool, and waits until all pods run.
func startRolling(t *testing.T, cloud *arm.Cloud, client kubernetes.Interface, c outcome, number int) *rolling {
	t.Helper()
	r := &rolling{
		cloud: cloud, client: client, pool: fmt.Sprintf("p%d", number), namespace: fmt.Sprintf("p%d", number),
		replicas: max(c.Replicas, 2-c.Replicas),
		id:       fmt.Sprintf("%s/providers/Microsoft.ContainerService/managedClusters/c%d", rollingGroup, number),
	}
	r.atLeast = map[string]int{"": 0, "allows": 1, "blocks": r.replicas}[c.Budget]
	properties := arm.Body{
		"kubernetesVersion": "1.36", "dnsPrefix": r.pool,
		"networkProfile": arm.Body{"networkPlugin": "azure", "networkPluginMode": "overlay"},
		"windowsProfile": arm.Body{"adminUsername": "operator", "adminPassword": "Correct-Horse-42"},
		"agentPoolProfiles": []any{arm.Body{
			"name": fmt.Sprintf("s%d", number), "mode": "System", "count": 1, "vmSize": "Standard_D4s_v5",
		}},
	}
	maps.Copy(properties, c.Cluster)
	_, err := cloud.Put(t.Context(), r.id, arm.Body{
		"location": "westeurope", "identity": arm.Body{"type": "SystemAssigned"}, "properties": properties,
	})
	check(t, err)
	properties = arm.Body{
		"count": 2, "vmSize": "Standard_D4s_v5", "mode": "User", "orchestratorVersion": "1.35",
	}
	maps.Copy(properties, c.Pool)
	settings := arm.Body{"drainTimeoutInMinutes": longestDrain}
	if c.Budget == "blocks" {
		settings["drainTimeoutInMinutes"] = shortestDrain
	}
	if own, ok := c.Pool["upgradeSettings"].(object); ok {
		maps.Copy(settings, own)
	}
	properties["upgradeSettings"] = settings
	_, err = cloud.Put(t.Context(), r.poolID(), arm.Body{"properties": properties})
	check(t, err)
	r.before = r.machines(t)
	r.deploy(t, c)
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	r.watch(ctx, t)
	return r
}

func (r *rolling) poolID() string { return r.id + "/agentPools/" + r.pool }

// deploy creates the Deployment with its budget. Its pods take a while to start and to end.
func (r *rolling) deploy(t *testing.T, c outcome) {
	t.Helper()
	labels := map[string]string{"app": r.pool}
	meta := metav1.ObjectMeta{Name: "app", Namespace: r.namespace, Labels: labels}
	_, err := r.client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: r.namespace},
	}, metav1.CreateOptions{})
	check(t, err)
	on := map[string]string{"agentpool": r.pool}
	if c.Anywhere {
		on = map[string]string{"kubernetes.azure.com/cluster": "MC_rolling_" + r.id[strings.LastIndex(r.id, "/")+1:] +
			"_westeurope"}
	}
	_, err = r.client.AppsV1().Deployments(r.namespace).Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: meta,
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(r.replicas)), Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: map[string]string{
					cluster.PodReadyDelay: "100ms", cluster.PodDeleteDelay: "200ms",
				}},
				Spec: corev1.PodSpec{
					NodeSelector: on,
					Containers:   []corev1.Container{{Name: "a", Image: "registry.example.com/a"}},
					// The pods are on different nodes as long as there are enough.
					TopologySpreadConstraints: []corev1.TopologySpreadConstraint{{
						MaxSkew: 1, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.ScheduleAnyway,
						LabelSelector: &metav1.LabelSelector{MatchLabels: labels},
					}},
				},
			},
		},
	}, metav1.CreateOptions{})
	check(t, err)
	r.settles(t)
	if r.atLeast == 0 {
		return
	}
	_, err = r.client.PolicyV1().PodDisruptionBudgets(r.namespace).Create(t.Context(), &policyv1.PodDisruptionBudget{
		ObjectMeta: meta,
		Spec: policyv1.PodDisruptionBudgetSpec{
			MinAvailable: new(intstr.FromInt(r.atLeast)), Selector: &metav1.LabelSelector{MatchLabels: labels},
		},
	}, metav1.CreateOptions{})
	check(t, err)
	r.knowsPods(t, "app")
}

// knowsPods waits until a budget knows all pods.
func (r *rolling) knowsPods(t *testing.T, budget string) {
	t.Helper()
	eventually(t, func(ctx context.Context) string {
		found, err := r.client.PolicyV1().PodDisruptionBudgets(r.namespace).Get(ctx, budget, metav1.GetOptions{})
		if err != nil || int(found.Status.CurrentHealthy) != r.replicas {
			return fmt.Sprintf("the budget does not know the pods: %v", err)
		}
		return ""
	})
}

// settles waits until all pods are ready, and none is Pending.
func (r *rolling) settles(t *testing.T) {
	t.Helper()
	eventually(t, func(ctx context.Context) string {
		pods, err := r.client.CoreV1().Pods(r.namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err.Error()
		}
		if len(pods.Items) != r.replicas {
			return fmt.Sprintf("%d pods", len(pods.Items))
		}
		for _, pod := range pods.Items {
			if !isReady(&pod) {
				return fmt.Sprintf("pod %s is %s on %q", pod.Name, pod.Status.Phase, pod.Spec.NodeName)
			}
		}
		return ""
	})
}

func isReady(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// watch follows each change of the pods and of the pool's nodes.
func (r *rolling) watch(ctx context.Context, t *testing.T) {
	t.Helper()
	r.fewest = r.replicas
	follow := func(w watch.Interface, err error, changed func(map[string]watch.Event)) {
		check(t, err)
		go func() {
			defer w.Stop()
			known := map[string]watch.Event{}
			for {
				select {
				case <-ctx.Done():
					return
				case event, open := <-w.ResultChan():
					if !open {
						return
					}
					if object, ok := event.Object.(metav1.Object); ok {
						known[object.GetName()] = event
						r.mutex.Lock()
						r.changes++
						changed(known)
						r.mutex.Unlock()
					}
				}
			}
		}()
	}
	all := 0
	pods, err := r.client.CoreV1().Pods(r.namespace).Watch(ctx, metav1.ListOptions{})
	follow(pods, err, func(known map[string]watch.Event) {
		ready := 0
		for _, event := range known {
			if pod, ok := event.Object.(*corev1.Pod); ok && event.Type != watch.Deleted && isReady(pod) {
				ready++
			}
		}
		// The first events are the existing pods.
		if all = max(all, ready); all == r.replicas {
			r.fewest = min(r.fewest, ready)
		}
	})
	nodes, err := r.client.CoreV1().Nodes().Watch(ctx, metav1.ListOptions{LabelSelector: "agentpool=" + r.pool})
	follow(nodes, err, func(known map[string]watch.Event) {
		n := 0
		for _, event := range known {
			if event.Type != watch.Deleted {
				n++
			}
		}
		r.most = max(r.most, n)
	})
}

// machines returns the machine of each node of the pool.
func (r *rolling) machines(t *testing.T) map[string]string {
	t.Helper()
	machines := map[string]string{}
	for _, node := range r.nodes(t) {
		machines[node.Name] = string(node.UID)
	}
	return machines
}

func (r *rolling) nodes(t *testing.T) []corev1.Node {
	t.Helper()
	list, err := r.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{LabelSelector: "agentpool=" + r.pool})
	check(t, err)
	return list.Items
}

// lines describes the nodes, sorted: whether their machines are the same as before the change.
func (r *rolling) lines(t *testing.T) (lines []string) {
	t.Helper()
	existed := slices.Collect(maps.Values(r.before))
	for _, node := range r.nodes(t) {
		line := "new"
		if slices.Contains(existed, string(node.UID)) {
			line = "old"
		}
		if node.Spec.Unschedulable {
			line += " cordoned"
		}
		if status := node.Labels["kubernetes.azure.com/upgrade-status"]; status != "" {
			line += " " + status
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// send sends the change, or the deletion of the pool.
func (r *rolling) send(ctx context.Context, c outcome) error {
	if c.Delete {
		id := r.poolID()
		if c.Ignore {
			id += "?ignore-pod-disruption-budget=true"
		}
		return r.cloud.Delete(ctx, id)
	}
	_, err := r.cloud.Put(ctx, r.poolID()+"?api-version="+arm.ResizeAPI, arm.Body{"properties": maps.Clone(c.Change)})
	return err
}

// changed returns how often pods and nodes have changed.
func (r *rolling) changed() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.changes
}

// state returns the provisioning state of the pool.
func (r *rolling) state(ctx context.Context) string {
	body, err := r.cloud.Get(ctx, r.poolID())
	if err != nil {
		return "deleted"
	}
	properties, _ := body["properties"].(arm.Body)
	state, _ := properties["provisioningState"].(string)
	return state
}
