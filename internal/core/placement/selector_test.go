package placement_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

func TestSelector(t *testing.T) {
	t.Parallel()
	selects := func(keysAndValues ...string) placement.Pod {
		return placement.Pod{NodeSelector: set(keysAndValues...)}
	}
	runRows(t, []row{
		{name: "no selector", want: yes},
		{
			name: "the labels of the nodes", pod: selects("kubernetes.io/os", "windows", "kubernetes.io/arch", "amd64"),
			want: yes,
		},
		{
			name: "the deprecated labels",
			pod:  selects("beta.kubernetes.io/os", "windows", "beta.kubernetes.io/arch", "amd64"), want: yes,
		},
		{name: "the instance type", pod: selects("node.kubernetes.io/instance-type", "Standard_D4s_v5"), want: yes},
		{
			name: "another value", pool: linux(), pod: selects("kubernetes.io/os", "windows"), want: no,
			reasons: []string{
				"selector: selects kubernetes.io/os=windows, but its nodes have linux | select kubernetes.io/os=linux",
			},
		},
		{
			name: "a value in other case", pod: selects("kubernetes.io/os", "Windows"), want: no,
			reasons: []string{
				"selector: selects kubernetes.io/os=Windows, but its nodes have windows, and case matters | select " +
					"kubernetes.io/os=windows",
			},
		},
		{
			name: "a value against an empty one", pool: linux(labels("gpu", "")), pod: selects("gpu", "true"), want: no,
			reasons: []string{`selector: selects gpu=true, but its nodes have "" | select gpu=`},
		},
		{
			name: "a label that only another pool has", pod: selects("disktype", "ssd"), want: no,
			others: declares("disktype"),
			reasons: []string{
				"selector: selects disktype=ssd, but its nodes have no label disktype | remove disktype from the " +
					"node selector, or give the pool this label",
			},
		},
		{
			name: "a label spelled differently", pool: linux(labels("diskType", "ssd")),
			pod:  selects("disktype", "ssd"),
			want: no,
			reasons: []string{
				"selector: selects disktype=ssd, but its nodes have no label disktype, only diskType=ssd | select " +
					"diskType=ssd",
			},
		},
		{
			name: "a label without its domain", pod: selects("os", "windows"), want: no,
			reasons: []string{
				"selector: selects os=windows, but its nodes have no label os, only kubernetes.io/os=windows | " +
					"select kubernetes.io/os=windows",
			},
		},
		{
			name: "a misspelled label", pool: linux(labels("disktype", "ssd")), pod: selects("dsiktype", "ssd"),
			want: no,
			reasons: []string{
				"selector: selects dsiktype=ssd, but its nodes have no label dsiktype, only disktype=ssd | select " +
					"disktype=ssd",
			},
		},
		{
			name: "everything at once, sorted by key", pool: linux(),
			pod: selects("zzz", "1", "kubernetes.io/os", "windows", "aaa", "2"), want: no,
			others: declares("aaa", "zzz"),
			reasons: []string{
				"selector: selects aaa=2, but its nodes have no label aaa | remove aaa from the node selector, or " +
					"give the pool this label",
				"selector: selects kubernetes.io/os=windows, but its nodes have linux | select kubernetes.io/os=linux",
				"selector: selects zzz=1, but its nodes have no label zzz | remove zzz from the node selector, or " +
					"give the pool this label",
			},
		},
		{name: "the build", pod: selects(topology.LabelWindowsBuild, "10.0.20348"), want: yes},
		{
			name: "another build", pod: selects(topology.LabelWindowsBuild, "10.0.17763"), want: no,
			reasons: []string{
				"build: needs build 10.0.17763 (Windows Server 2019), but its nodes have 10.0.20348 (Windows Server " +
					"2022) | select node.kubernetes.io/windows-build=10.0.20348",
			},
		},
		{
			name: "an unknown build", pod: selects(topology.LabelWindowsBuild, "10.0.1"), want: no,
			reasons: []string{
				"build: needs build 10.0.1, but its nodes have 10.0.20348 (Windows Server 2022) | select " +
					"node.kubernetes.io/windows-build=10.0.20348",
			},
		},
		{
			name: "a build with its revision", pod: selects(topology.LabelWindowsBuild, "10.0.20348.2340"), want: no,
			reasons: []string{
				"build: needs build 10.0.20348.2340, but its nodes have 10.0.20348: the label has no revision | " +
					"select node.kubernetes.io/windows-build=10.0.20348",
			},
		},
		{
			name: "a build on Linux", pool: linux(), pod: selects(topology.LabelWindowsBuild, "10.0.20348"), want: no,
			reasons: []string{
				"selector: needs build 10.0.20348 (Windows Server 2022), but its nodes run Linux | remove " +
					"node.kubernetes.io/windows-build from the node selector",
			},
		},
		{
			name: "the unknown part of a selector refuses nothing", want: unknown,
			pod: placement.Pod{NodeSelector: set("kubernetes.io/os", "windows"), Unknown: placement.PartSelector},
		},
		{
			name: "the known part of a selector refuses", want: no,
			pod: placement.Pod{NodeSelector: set("kubernetes.io/os", "linux"), Unknown: placement.PartSelector},
			reasons: []string{
				"selector: selects kubernetes.io/os=linux, but its nodes have windows | select " +
					"kubernetes.io/os=windows",
			},
		},
	})
}

func TestLabels(t *testing.T) {
	t.Parallel()
	selects := func(key, value string) placement.Pod { return placement.Pod{NodeSelector: set(key, value)} }
	missing := func(key, value string) []string {
		return []string{"selector: selects " + key + "=" + value + ", but its nodes have no label " + key +
			" | remove " + key + " from the node selector, or give the pool this label"}
	}
	runRows(t, []row{
		{name: "the host name differs for each node", pod: selects("kubernetes.io/hostname", "win22-0"), want: unknown},
		{
			name: "a cloud may set labels in its domain", pod: selects("kubernetes.azure.com/agentpool", "win22"),
			want: unknown,
		},
		{name: "a cloud sets zones", pod: selects("topology.kubernetes.io/zone", "westeurope-1"), want: unknown},
		{
			name: "a cloud sets zones, even if another pool declares its own",
			pod:  selects("topology.kubernetes.io/zone", "a"), want: unknown,
			others: []topology.Pool{linux(labels("topology.kubernetes.io/zone", "a"))},
		},
		{
			name: "an unknown size sets the instance type", pool: linux(size("")),
			pod: selects("node.kubernetes.io/instance-type", "m7i.large"), want: unknown,
		},
		{
			name: "an unknown size sets it even if another pool has a size", pool: linux(size("")), others: mixed(),
			pod: selects("node.kubernetes.io/instance-type", "Standard_D4s_v5"), want: unknown,
		},
		{name: "anyone may set labels without a domain", pod: selects("disktype", "ssd"), want: unknown},
		{
			name: "a label may only be similar to a label of the pool", pool: linux(labels("disktype", "ssd")),
			pod: selects("disksize", "1"), want: unknown,
		},
		{
			name: "a label may differ in a letter that counts", pool: linux(labels("example.com/tenant-a", "1")),
			pod: selects("example.com/tenant-b", "1"), want: unknown,
		},
		{
			name: "short labels are similar to many others", pool: linux(labels("gpu", "1")), pod: selects("cpu", "1"),
			want: unknown,
		},
		{
			name: "a typo in another domain", pool: linux(labels("example.com/disktype", "ssd")),
			pod: selects("example.org/disktpye", "ssd"), want: unknown,
		},
		{
			name: "a typo in a label with a domain", pool: linux(labels("example.com/disktype", "ssd")),
			pod: selects("example.com/disktpye", "ssd"), want: no,
			reasons: []string{
				"selector: selects example.com/disktpye=ssd, but its nodes have no label example.com/disktpye, only " +
					"example.com/disktype=ssd | select example.com/disktype=ssd",
			},
		},
		{name: "AKS sets some labels without a domain", pod: selects("agentpool", "win22"), want: unknown},
		{
			name: "a label that another pool declares is missing", pod: selects("example.com/gpu", "true"), want: no,
			others:  []topology.Pool{linux(labels("example.com/gpu", "true"))},
			reasons: missing("example.com/gpu", "true"),
		},
		{
			name: "a label that another pool declares in another case is missing",
			pod:  selects("example.com/GPU", "true"), want: no,
			others:  []topology.Pool{linux(labels("example.com/gpu", "true"))},
			reasons: missing("example.com/GPU", "true"),
		},
		{
			name: "a kubelet's label in other case is missing", pod: selects("kubernetes.io/OS", "windows"), want: no,
			reasons: []string{
				"selector: selects kubernetes.io/OS=windows, but its nodes have no label kubernetes.io/OS, only " +
					"kubernetes.io/os=windows | select kubernetes.io/os=windows",
			},
		},
		{
			name: "the architecture of a size", pool: linux(), pod: selects("kubernetes.io/arch", "arm64"),
			want: no, reasons: []string{
				"selector: selects kubernetes.io/arch=arm64, but its nodes have amd64 | select " +
					"kubernetes.io/arch=amd64",
			},
		},
		{
			name: "an Arm64 size", pool: linux(size("Standard_D4ps_v5")), pod: selects("kubernetes.io/arch", "amd64"),
			want: no, reasons: []string{
				"selector: selects kubernetes.io/arch=amd64, but its nodes have arm64 | select " +
					"kubernetes.io/arch=arm64",
			},
		},
		{
			name: "an unknown architecture counts as amd64", pool: linux(size("")),
			pod: selects("kubernetes.io/arch", "amd64"), want: yes,
		},
		{
			name: "EC2's Graviton is arm64", pool: linux(size("m7g.large")),
			pod: selects("beta.kubernetes.io/arch", "arm64"), want: yes,
		},
		{
			name: "an unknown architecture refuses nothing", pool: linux(size("ecs.g8y.large")),
			pod: selects("beta.kubernetes.io/arch", "arm64"), want: unknown,
		},
		{
			name: "Windows is always amd64", pool: win22(size(""), taints()),
			pod: selects("kubernetes.io/arch", "arm64"), want: no, reasons: []string{
				"selector: selects kubernetes.io/arch=arm64, but its nodes have amd64 | select " +
					"kubernetes.io/arch=amd64",
			},
		},
	})
}

func TestNothingIsKnownAboutAnInvalidPlatform(t *testing.T) {
	t.Parallel()
	pod := placement.Pod{
		OS: windowsOS, NodeSelector: set("kubernetes.io/os", "windows"),
		Images: []placement.Image{image("alpine")},
	}
	for _, p := range []platform.Platform{"", "ltsc2022"} {
		wantPlacement(t, place(pod, pool("pool", p, 1, nil)), "pool: schedules unknown, runs unknown")
	}
}
