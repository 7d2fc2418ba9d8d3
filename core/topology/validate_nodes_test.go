package topology_test

import (
	"testing"

	"github.com/mixedkube/mixedkube/core/topology"
)

func TestValidateNodes(t *testing.T) {
	t.Parallel()
	const (
		count   = "pools[1].count: Invalid value: "
		least   = "pools[1].autoscaling.min: Invalid value: "
		most    = "pools[1].autoscaling.max: Invalid value: "
		outside = ": outside the range of autoscaling: use between 2 and 5, or leave it out"
		tooMany = ": more nodes than Kubernetes supports in a cluster: use at most 5000"
	)
	tests := []struct {
		name        string
		count       int
		autoscaling topology.Autoscaling
		want        []string
	}{
		{"no autoscaling", 7, topology.Autoscaling{}, nil},
		{"the default count is in the range", 0, topology.Autoscaling{Min: 2, Max: 5}, nil},
		{"also where the range begins with 0", 0, topology.Autoscaling{Max: 1}, nil},
		{"the smallest number", 2, topology.Autoscaling{Min: 2, Max: 5}, nil},
		{"the largest number", 5, topology.Autoscaling{Min: 2, Max: 5}, nil},
		{"one number only", 3, topology.Autoscaling{Min: 3, Max: 3}, nil},
		{"as many nodes as possible", 0, topology.Autoscaling{Min: 5000, Max: 5000}, nil},
		{"fewer than the smallest number", 1, topology.Autoscaling{Min: 2, Max: 5}, []string{count + "1" + outside}},
		{"more than the largest number", 6, topology.Autoscaling{Min: 2, Max: 5}, []string{count + "6" + outside}},
		{
			"another than the only number", 4,
			topology.Autoscaling{Min: 3, Max: 3},
			[]string{count + "4: outside the range of autoscaling: use 3, or leave it out"},
		},
		{
			"a smallest number below 0", 0,
			topology.Autoscaling{Min: -1, Max: 5},
			[]string{least + "-1: must not be negative: use 0 for a pool that may have none"},
		},
		{
			"a smallest number alone", 0,
			topology.Autoscaling{Min: 2},
			[]string{most + "0: must be at least 1, and not less than min: use 2 or more"},
		},
		{
			"a largest number below the smallest", 0,
			topology.Autoscaling{Min: 3, Max: 2},
			[]string{most + "2: must be at least 1, and not less than min: use 3 or more"},
		},
		{
			"a largest number below 0", 0,
			topology.Autoscaling{Max: -1},
			[]string{most + "-1: must be at least 1, and not less than min: use 1 or more"},
		},
		{"a largest number that is too large", 0, topology.Autoscaling{Max: 5001}, []string{most + "5001" + tooMany}},
		// The default count is the smallest number.
		{
			"a smallest number that is too large", 2,
			topology.Autoscaling{Min: 5001, Max: 5002},
			[]string{least + "5001" + tooMany, most + "5002" + tooMany},
		},
		{
			"a smallest number that is too large does not limit the largest", 2,
			topology.Autoscaling{Min: 5001, Max: 9},
			[]string{least + "5001" + tooMany},
		},
		{
			"both below 0", 0,
			topology.Autoscaling{Min: -3, Max: -5},
			[]string{
				least + "-3: must not be negative: use 0 for a pool that may have none",
				most + "-5: must be at least 1, and not less than min: use 1 or more",
			},
		},
		{
			"a count is not compared with a range that is wrong", 9,
			topology.Autoscaling{Min: -1, Max: 5},
			[]string{least + "-1: must not be negative: use 0 for a pool that may have none"},
		},
		{
			"an invalid count is not compared", -2,
			topology.Autoscaling{Min: 2, Max: 5},
			[]string{count + "-2: must not be negative: set empty for a pool that has no nodes for now"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := windows(func(p *topology.Pool) { p.Count, p.Autoscaling = tt.count, tt.autoscaling })
			wantErrors(t, in.Validate(nil), tt.want...)
			// Defaults that are already set make no difference.
			wantErrors(t, in.WithDefaults().Validate(nil), tt.want...)
		})
	}
}

func TestValidateEmpty(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*topology.Pool)
		want   []string
	}{
		{"no nodes", func(*topology.Pool) {}, nil},
		{"where the range begins with 0", func(p *topology.Pool) { p.Autoscaling.Max = 5 }, nil},
		{
			"below the range", func(p *topology.Pool) { p.Autoscaling = topology.Autoscaling{Min: 2, Max: 5} },
			[]string{
				"pools[1].count: Invalid value: 0: outside the range of autoscaling: use between 2 and 5, or leave " +
					"it out",
			},
		},
		{
			"and a count", func(p *topology.Pool) { p.Count = 3 },
			[]string{"pools[1].empty: Invalid value: true: count is 3: remove one of the two"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := windows(func(p *topology.Pool) { p.Empty = true; tt.change(p) })
			wantErrors(t, in.Validate(nil), tt.want...)
			wantErrors(t, in.WithDefaults().Validate(nil), tt.want...)
		})
	}
}
