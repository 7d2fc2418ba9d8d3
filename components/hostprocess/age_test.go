package hostprocess_test

import (
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// A component reports old default images, and not those that an argument replaces.
func TestOldDefaultImagesAreReported(t *testing.T) {
	const mirror = "mirror.example.com/image:1"
	t.Setenv("SOURCE_DATE_EPOCH", strconv.FormatInt(time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), 10))
	pods := network.Network{Kind: network.FlannelVXLAN, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")}
	endpoint := pulumi.String("api.example.com:6443")
	for name, tt := range map[string]struct {
		create func(ctx *pulumi.Context) error
		want   string
	}{
		"CSI proxy": {func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewCSIProxy(ctx, "a", nil)
			return err
		}, "CSIProxyImage"},
		"CSI proxy of a mirror": {func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewCSIProxy(ctx, "a", &hostprocess.CSIProxyArgs{Image: mirror})
			return err
		}, ""},
		"exporter on AKS": {func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewWindowsExporter(ctx, "a", &hostprocess.WindowsExporterArgs{
				FirewallImage: mirror, Topology: topology.Topology{Cloud: topology.AKS, Pools: []topology.Pool{
					{Name: "sys", Platform: "linux"},
					{Name: "win", Platform: "windows-2022", KubernetesVersion: "1.36"},
				}},
			})
			return err
		}, "WindowsExporterImage"},
		"exporter of a mirror": {func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewWindowsExporter(ctx, "a", &hostprocess.WindowsExporterArgs{Image: mirror})
			return err
		}, "HostProcessImage"},
		"detector": {func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewNodeProblemDetector(ctx, "a",
				&hostprocess.NodeProblemDetectorArgs{Endpoint: endpoint})
			return err
		}, "NodeProblemDetectorImage"},
		"detector with a program": {func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewNodeProblemDetector(ctx, "a", &hostprocess.NodeProblemDetectorArgs{
				Endpoint: endpoint, Program: `C:\detector.exe`,
			})
			return err
		}, "HostProcessImage"},
		"flannel": {func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewFlannel(ctx, "a", &hostprocess.FlannelArgs{
				Network: pods, Endpoint: endpoint, WindowsImage: mirror,
			})
			return err
		}, "FlannelImage, FlannelPluginImage"},
		"kube-proxy": {func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewKubeProxy(ctx, "a", &hostprocess.KubeProxyArgs{Network: pods, Endpoint: endpoint})
			return err
		}, "HostProcessImage"},
		"logs": {func(ctx *pulumi.Context) error {
			_, err := hostprocess.NewNodeLogs(ctx, "a", &hostprocess.NodeLogsArgs{Node: "win000000"})
			return err
		}, "HostProcessImage"},
	} {
		graph, err := mocktest.Run(tt.create, mocktest.Preview())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var found []string
		for _, l := range graph.Logs() {
			if old, _, is := strings.Cut(l.Message, `": looked up more than 180 days ago`); is {
				found = append(found, strings.TrimPrefix(old, `"`))
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(found, "; ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
