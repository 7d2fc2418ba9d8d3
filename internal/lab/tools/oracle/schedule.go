package main

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
)

// question is a pod after its admission, and nodes without pods.
type question struct {
	Pod   *corev1.Pod    `json:"pod"`
	Nodes []*corev1.Node `json:"nodes"`
}

// placing has the reasons why the scheduler does not place a pod, for each node: none if it can place it there.
type placing struct {
	Reasons     [][]string `json:"reasons"`
	DecodeError string     `json:"decodeError,omitempty"`
}

func place(content []byte) placing {
	var q question
	if err := json.Unmarshal(content, &q); err != nil {
		return placing{DecodeError: err.Error()}
	}
	var p placing
	for _, node := range q.Nodes {
		p.Reasons = append(p.Reasons, reasons(q.Pod, node))
	}
	return p
}

var (
	gates = utilfeature.DefaultFeatureGate
	// filters are the plugins of the default profile for taints and labels, in its order. The plugin for requests needs a
	// cluster: reasons calls the function behind it.
	filters = []fwk.FilterPlugin{
		filter(tainttoleration.New, nil),
		filter(nodeaffinity.New, &config.NodeAffinityArgs{}),
	}
)

// filter creates a plugin with its arguments.
func filter(
	create func(context.Context, runtime.Object, fwk.Handle, feature.Features) (fwk.Plugin, error), args runtime.Object,
) fwk.FilterPlugin {
	plugin, err := create(context.Background(), args, nil, feature.NewSchedulerFeaturesFromGates(gates))
	if err != nil {
		panic(err)
	}
	return plugin.(fwk.FilterPlugin)
}

// reasons returns the reasons of the first plugin that refuses the node.
func reasons(pod *corev1.Pod, node *corev1.Node) []string {
	info := framework.NewNodeInfo()
	info.SetNode(node)
	for _, f := range filters {
		if s := f.Filter(context.Background(), framework.NewCycleState(), pod, info); !s.IsSuccess() {
			return s.Reasons()
		}
	}
	all := []string{}
	for _, missing := range noderesources.Fits(pod, info, nil, noderesources.ResourceRequestsOptions{
		EnablePodLevelResources: gates.Enabled(features.PodLevelResources),
	}) {
		all = append(all, missing.Reason)
	}
	return all
}
