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
