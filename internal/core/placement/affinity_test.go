package placement_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

func TestAffinity(t *testing.T) {
	t.Parallel()
	onFields := func(requirements ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchFields: requirements}
	}
	pod := func(terms ...corev1.NodeSelectorTerm) placement.Pod {
		return placement.Pod{Required: requires(terms...)}
	}
	const os = "kubernetes.io/os"
	isWindows, isLinux := expr(os, "In", "windows"), expr(os, "In", "linux")
	hostname := expr("kubernetes.io/hostname", "In", "a")
	cores := labels("cores", "8", "empty", "")
	needsBuild := func(builds ...string) corev1.NodeSelectorTerm {
		return term(isWindows, expr(topology.LabelWindowsBuild, "In", builds...))
	}
	runRows(t, []row{
		{name: "a value", pod: pod(term(isWindows)), want: yes},
		{name: "one of several values", pod: pod(term(expr(os, "In", "linux", "windows"))), want: yes},
		{
			name: "another value", pod: pod(term(isLinux)), want: no,
			reasons: []string{
				"affinity: requires kubernetes.io/os=linux, but its nodes have windows | require " +
					"kubernetes.io/os=windows",
			},
		},
		{
			name: "other values", pod: pod(term(expr(os, "In", "linux", "Windows"))), want: no,
			reasons: []string{
				"affinity: requires kubernetes.io/os in (linux, Windows), but its nodes have windows, and case " +
					"matters | require kubernetes.io/os=windows",
			},
		},
		{
			name: "a missing label", others: declares("disktype", "gpu"), pod: pod(term(expr("disktype", "In", "ssd"))),
			want: no,
			reasons: []string{
				"affinity: requires disktype=ssd, but its nodes have no label disktype | remove disktype from the " +
					"node affinity, or give the pool this label",
			},
		},
		{
			name: "a value to avoid", pod: pod(term(expr(os, "NotIn", "windows"))), want: no,
			reasons: []string{
				"affinity: requires kubernetes.io/os not in (windows), but its nodes have windows | remove " +
					"kubernetes.io/os from the node affinity",
			},
		},
		{
			name: "a value to avoid of a missing label", others: declares("disktype", "gpu"),
			pod: pod(term(expr("disktype", "NotIn", "hdd"))), want: yes,
		},
		{name: "a label", pod: pod(term(expr(topology.LabelWindowsBuild, "Exists"))), want: yes},
		{
			name: "a missing label to exist", others: declares("disktype", "gpu"),
			pod:  pod(term(expr("gpu", "Exists"))),
			want: no,
			reasons: []string{
				"affinity: requires a label gpu, but its nodes have no label gpu | remove gpu from the node " +
					"affinity, or give the pool this label",
			},
		},
		{name: "no label", others: declares("disktype", "gpu"), pod: pod(term(expr("gpu", "DoesNotExist"))), want: yes},
		{
			name: "no label, but the nodes have it", pod: pod(term(expr(os, "DoesNotExist"))), want: no,
			reasons: []string{
				"affinity: requires no label kubernetes.io/os, but its nodes have kubernetes.io/os=windows | remove " +
					"kubernetes.io/os from the node affinity",
			},
		},
		{name: "a larger number", pool: linux(cores), pod: pod(term(expr("cores", "Gt", "4"))), want: yes},
		{
			name: "a number that is not larger", pool: linux(cores), pod: pod(term(expr("cores", "Gt", "8"))), want: no,
			reasons: []string{"affinity: requires cores>8, but its nodes have 8 | remove cores from the node affinity"},
		},
		{
			name: "a number that is not smaller", pool: linux(cores), pod: pod(term(expr("cores", "Lt", "8"))),
			want:    no,
			reasons: []string{"affinity: requires cores<8, but its nodes have 8 | remove cores from the node affinity"},
		},
		{
			name: "no number at all", pool: linux(cores), pod: pod(term(expr("empty", "Lt", "8"))), want: no,
			reasons: []string{
				`affinity: requires empty<8, but its nodes have "" | remove empty from the node affinity`,
			},
		},
		{
			name:   "all expressions of a term must match, and the first that does not is named",
			others: declares("disktype", "gpu"), want: no,
			pod: pod(term(isWindows, expr("gpu", "Exists"), isLinux)),
			reasons: []string{
				"affinity: requires a label gpu, but its nodes have no label gpu | remove gpu from the node " +
					"affinity, or give the pool this label",
			},
		},
		{name: "terms are alternatives", pod: pod(term(isLinux), term(isWindows)), want: yes},
		{
			name: "all alternatives are named, each once", others: declares("disktype", "gpu"),
			pod: pod(term(isLinux), term(expr("gpu", "Exists")), term(isLinux)), want: no,
			reasons: []string{"affinity: requires kubernetes.io/os=linux, but its nodes have windows; or requires a " +
				"label gpu, but its nodes have no label gpu | change one of the terms of the node affinity"},
		},
		{
			name: "a build", pod: pod(needsBuild("10.0.17763", "10.0.26100")), want: no,
			reasons: []string{
				"build: needs build 10.0.17763 (Windows Server 2019) or 10.0.26100 (Windows Server 2025), but its " +
					"nodes have 10.0.20348 (Windows Server 2022) | require node.kubernetes.io/windows-build=10.0.20348",
			},
		},
		{
			name: "a build or something else", pod: pod(needsBuild("10.0.17763"), term(isLinux)), want: no,
			reasons: []string{"affinity: needs build 10.0.17763 (Windows Server 2019), but its nodes have 10.0.20348 " +
				"(Windows Server 2022); or requires kubernetes.io/os=linux, but its nodes have windows | change one " +
				"of the terms of the node affinity"},
		},
		{
			name: "no terms match nothing", pod: pod(), want: no,
			reasons: []string{
				"affinity: the node affinity has no expressions, which matches no node | remove the node affinity",
			},
		},
		{
			name: "an empty term matches nothing", pod: pod(corev1.NodeSelectorTerm{}, term(isLinux)), want: no,
			reasons: []string{
				"affinity: requires kubernetes.io/os=linux, but its nodes have windows | require " +
					"kubernetes.io/os=windows",
			},
		},
		{
			name: "an expression that is not valid matches nothing", pod: pod(term(expr(os, "In"))), want: no,
			reasons: []string{
				"affinity: requires kubernetes.io/os in (), which matches no node | correct this expression of the " +
					"node affinity",
			},
		},
		{
			name: "an unknown operator matches nothing", pod: pod(term(expr(os, "Equals", "windows"))),
			want: no,
			reasons: []string{
				"affinity: requires kubernetes.io/os Equals (windows), which matches no node | correct this " +
					"expression of the node affinity",
			},
		},
		{
			name: "an unknown field matches nothing", pod: pod(onFields(expr("metadata.uid", "In", "1"))),
			want: no,
			reasons: []string{
				"affinity: requires metadata.uid in (1), which matches no node | correct this expression of the node " +
					"affinity",
			},
		},
		{name: "the name of a node", pod: pod(onFields(expr("metadata.name", "In", "win22-0"))), want: unknown},
		{name: "not the name of a node", pod: pod(onFields(expr("metadata.name", "NotIn", "win22-0"))), want: unknown},
		{name: "the host name", pod: pod(term(isWindows, hostname)), want: unknown},
		{
			name: "a false expression makes the term false, regardless of the others",
			pod:  pod(term(hostname, isLinux)),
			want: no,
			reasons: []string{
				"affinity: requires kubernetes.io/os=linux, but its nodes have windows | require " +
					"kubernetes.io/os=windows",
			},
		},
		{
			name: "a false expression and the name of a node", want: no,
			pod: pod(corev1.NodeSelectorTerm{
				MatchFields:      []corev1.NodeSelectorRequirement{expr("metadata.name", "In", "a")},
				MatchExpressions: []corev1.NodeSelectorRequirement{isLinux},
			}),
			reasons: []string{
				"affinity: requires kubernetes.io/os=linux, but its nodes have windows | require " +
					"kubernetes.io/os=windows",
			},
		},
		{
			name: "a term that may match and a term that does not", pod: pod(term(isLinux), term(hostname)),
			want: unknown,
		},
		{name: "a term that may match and a term that does", pod: pod(term(hostname), term(isWindows)), want: yes},
		{
			name: "a node may or may not have a cloud's label",
			pod:  pod(term(expr("karpenter.sh/nodepool", "DoesNotExist"))),
			want: unknown,
		},
		{
			name: "an unknown architecture", pool: linux(size("")),
			pod: pod(term(expr("kubernetes.io/arch", "In", "arm64"))), want: unknown,
		},
		{
			name: "an unknown architecture, with a default that fits", pool: linux(size("")),
			pod: pod(term(expr("kubernetes.io/arch", "NotIn", "arm64"))), want: yes,
		},
		{
			name: "an affinity with unknown terms", want: unknown,
			pod: placement.Pod{Required: requires(term(isLinux)), Unknown: placement.PartAffinity},
		},
	})
}
