// Package v2beta2 stands in for the one that k8s.io/api no longer has: no API server has
// served autoscaling/v2beta2 since Kubernetes 1.26. github.com/fluxcd/pkg/ssa, which the
// provider uses, still names the type in a switch over objects that client-go has decoded.
// No object is decoded to it now, so its case, which drops duplicate metrics, is never
// taken.
package v2beta2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type HorizontalPodAutoscaler struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec HorizontalPodAutoscalerSpec
}

func (h *HorizontalPodAutoscaler) DeepCopyObject() runtime.Object { return h }

type HorizontalPodAutoscalerSpec struct{ Metrics []MetricSpec }

type MetricSpec struct{ Type string }
