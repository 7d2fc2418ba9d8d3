package structure

import (
	"strings"
	"testing"
)

func TestNewest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ group, kind, want string }{
		{"apps", "Deployment", "apps/v1"},
		{"autoscaling", "HorizontalPodAutoscaler", "autoscaling/v2"},
		{"resource.k8s.io", "DeviceClass", "resource.k8s.io/v1"},
		// No stable version, and two alpha versions that were removed.
		{"scheduling.k8s.io", "Workload", "scheduling.k8s.io/v1beta1"},
		{"scheduling.k8s.io", "CompositePodGroup", "scheduling.k8s.io/v1alpha3"},
		{"resource.k8s.io", "ResourcePoolStatusRequest", "resource.k8s.io/v1alpha3"},
		{"", "Event", "v1"},
		{"events.k8s.io", "Event", "events.k8s.io/v1"},
		{"apps", "Service", ""},
	} {
		got := ""
		if kind := Newest(tt.group, tt.kind); kind != nil {
			got = kind.GroupVersion
		}
		if got != tt.want {
			t.Errorf("Newest(%q, %q) = %q, want %q", tt.group, tt.kind, got, tt.want)
		}
	}
}

// The replacement of a removed version must exist.
func TestReplacementsAreServed(t *testing.T) {
	t.Parallel()
	first, _ := Range()
	for version, kinds := range removed {
		for name, was := range kinds {
			if Find(version, name) != nil {
				t.Errorf("%s %s is served, and called removed in 1.%d", version, name, was.in)
			}
			if was.replacement != "" && Find(was.replacement, name) == nil {
				t.Errorf("%s %s is replaced by %s, which is not served", version, name, was.replacement)
			}
			if was.in < 16 || was.in > first {
				t.Errorf("%s %s is removed in 1.%d", version, name, was.in)
			}
		}
	}
}

func TestSpan(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		span span
		has  string // in 1.33 to 1.37
		text string
	}{
		{span{}, "33 34 35 36 37", ""},
		{span{since: 36}, "36 37", "since Kubernetes 1.36"},
		{span{until: 34}, "33 34", "until Kubernetes 1.34"},
		{span{since: 35, until: 35}, "35", "in Kubernetes 1.35"},
		{span{since: 34, until: 35}, "34 35", "in Kubernetes 1.34 to 1.35"},
	} {
		var has []string
		for i, minor := range []string{"33", "34", "35", "36", "37"} {
			if tt.span.has(33 + i) {
				has = append(has, minor)
			}
		}
		if got := strings.Join(has, " "); got != tt.has {
			t.Errorf("%+v has %s, want %s", tt.span, got, tt.has)
		}
		if got := tt.span.String(); got != tt.text && !tt.span.always() {
			t.Errorf("%+v is %q, want %q", tt.span, got, tt.text)
		}
	}
}

// BenchmarkTable measures what the first check costs in addition.
func BenchmarkTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		parse(text)
	}
}
