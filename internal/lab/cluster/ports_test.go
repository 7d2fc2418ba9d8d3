package cluster

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

func TestReservePorts(t *testing.T) {
	t.Parallel()
	for _, first := range []int{6443, 0} {
		all, r, err := reservePorts(first)
		if err != nil {
			t.Fatal(err)
		}
		r.Release()
		if first != 0 && all[0] != first {
			t.Errorf("the API server's port is %d, want the configured one", all[0])
		}
		if sorted := slices.Sorted(slices.Values(all[:])); sorted[0] == 0 || len(slices.Compact(sorted)) != len(all) {
			t.Errorf("not every component has a port of its own: %v", all)
		}
	}
}

func TestCheckPort(t *testing.T) {
	t.Parallel()
	c := Cluster{Dir: t.TempDir()}
	for port, want := range map[int]string{
		-1:    "-1 is not a valid port: choose one from 1 to 65535, or 0 for one that is free",
		65536: "65536 is not a valid port: choose one from 1 to 65535, or 0 for one that is free",
	} {
		if err := c.checkPort(port); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := c.checkPort(0); err != nil {
		t.Errorf("0 is always right: %v", err)
	}
}

func TestKwokctlListensOnLoopback(t *testing.T) {
	t.Parallel()
	var first struct {
		Kind    string
		Options map[string]any
	}
	if err := yaml.Unmarshal([]byte(kwokctlConfig([6]int{1, 2, 3, 4, 5, 6}, etcdKey{}, true)), &first); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"bindAddress": "127.0.0.1", "kubeApiserverPort": 1, "kubeControllerManagerPort": 2, "kubeSchedulerPort": 3,
		"kwokControllerPort": 4, "etcdPort": 5, "etcdPeerPort": 6, "disableQPSLimits": true,
		"kubeControllerManagerNodeMonitorGracePeriodMilliseconds": 720000,
	}
	if diff := cmp.Diff(want, first.Options); diff != "" || first.Kind != "KwokctlConfiguration" {
		t.Errorf("options of %s (-want +got):\n%s", first.Kind, diff)
	}
}

// Every user of the machine can reach the port of KWOK's controller.
func TestTheHandlersOfTheControllerAreOff(t *testing.T) {
	t.Parallel()
	decoder := yaml.NewDecoder(strings.NewReader(kwokctlConfig([6]int{1, 2, 3, 4, 5, 6}, etcdKey{}, true)))
	var got []map[string]any
	for {
		var document struct {
			Kind    string
			Options map[string]any
		}
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if document.Kind == "KwokConfiguration" {
			got = append(got, document.Options)
		}
	}
	want := []map[string]any{{
		"enableDebuggingHandlers": false, "enableProfilingHandler": false, "cidr": "10.0.0.0/24",
		"podPlayStageParallelism": 4, "nodePlayStageParallelism": 4, "nodeLeaseParallelism": 4,
		"podsOnNodeSyncParallelism": 1, "enablePodsOnNodeSyncListPager": true,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("options of the controller (-want +got):\n%s", diff)
	}
}
