package clustermap

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/landings"
)

// layout is the content of both pictures in their order, as texts and shares.
type layout struct {
	Title, About string
	Totals       []total
	// Mix is the share of each platform in the nodes.
	Mix []portion
	// Pending is how many workloads are pending. Problems groups the ones with the same reasons.
	Pending  int
	Problems []problem
	// Grouped is true if the platforms have headings. Dense is true if there are so many pools that workloads are
	// hidden at first.
	Grouped, Dense bool
	Groups         []group
	Rows           []row
	Live           bool
	Notes          []string
}

// With more pools than these, platforms have headings, and then cards are small.
const (
	fewPools  = 12
	manyPools = 24
)

// total is a number at the top.
type total struct {
	Name, Value string
	Alarm       bool
}

// Look is the look of a platform: a color, and a mark for users who cannot distinguish colors.
type Look struct {
	// Class is a class of the style sheet, and Mark the text of the badge; Round is true if the badge is round.
	Class, Mark string
	Round       bool
	Platform    string
}

// portion is a part of the bar above the map.
type portion struct {
	Look
	// From and Width are in hundredths of the bar.
	From, Width float64
	Nodes       string
	// Group is the number of the group, for a link.
	Group int
}

// group is the pools of one platform.
type group struct {
	Look
	ID           int
	Build, About string
	Cards        []card
}

// card is a pool.
type card struct {
	Look
	// ID is the number of the pool: links lead to it.
	ID             int
	Name, Nodes    string
	Build          string
	Facts          []string
	Taints         []string
	Meters         []meter
	RoomNote       string
	Entries, Later []entry
	// More is how many workloads are in neither list.
	More int
	// Summary counts the workloads.
	Summary string
}

// meter is a bar: how much of the capacity is requested.
type meter struct {
	Name, Used, Of string
	// Fill and Choice are in hundredths of the bar.
	Fill, Choice float64
	Over         bool
}

// entry is a workload in a card.
type entry struct {
	Name, Kind, Pods, Note string
	Workload               int
}

// problem is a pending workload, or several with the same reasons.
type problem struct {
	ID                int
	Title, About, Why string
	// Reasons are shown at once, Later after a click: Summary counts the later ones.
	Reasons, Later []because
	Summary        string
}

type because struct{ Pools, Text string }

// row is a workload in the table.
type row struct {
	ID                         int
	Name, Kind, Pods, Requests string
	Where                      []where
	// Problem is the number of the problem about it, -1 if there is none.
	Problem int
}

// where is a pool on which a workload can run, or several together.
type where struct {
	Look
	Text string
	// Pool is the number of the card, and Group the number of the group: -1 if there is none.
	Pool, Group int
}

// lay computes the layout.
func (m *Map) lay() layout {
	l := layout{
		Title: cmp.Or(m.Title, "cluster"), About: m.about(), Live: m.Live, Notes: m.Notes, Pending: len(m.Pending),
		Grouped: len(m.Pools) > fewPools, Dense: len(m.Pools) > manyPools,
	}
	nodes := 0
	for _, p := range m.Pools {
		nodes += p.Count
	}
	l.Totals = []total{
		totalOf(len(m.Pools), "Pool"), totalOf(nodes, "Node"), totalOf(len(m.Workloads), "Workload"),
		{Name: "Pending", Value: strconv.Itoa(len(m.Pending)), Alarm: len(m.Pending) > 0},
	}
	of := map[int]int{}
	alike := together(m.Pending)
	for i, p := range alike {
		l.Problems = append(l.Problems, layProblem(i, p, len(alike)))
		for _, w := range p.Workloads {
			if _, found := of[w]; !found {
				of[w] = i
			}
		}
	}
	for i := range m.Pools {
		p := &m.Pools[i]
		if last := len(l.Groups) - 1; last < 0 || l.Groups[last].Class != LookOf(p.Platform).Class {
			l.Groups = append(l.Groups, group{Look: LookOf(p.Platform), ID: len(l.Groups), Build: p.Platform.Build()})
		}
		g := &l.Groups[len(l.Groups)-1]
		g.Cards = append(g.Cards, m.card(i, l))
	}
	l.Mix = m.mix(l.Groups, nodes)
	for i := range m.Workloads {
		problem, found := of[i]
		if !found {
			problem = -1
		}
		l.Rows = append(l.Rows, m.row(i, problem, l))
	}
	return l
}

// totalOf counts things: the name is in the plural unless the number is 1.
func totalOf(n int, what string) total {
	value, name, _ := strings.Cut(fielderrors.Count(n, what), " ")
	return total{Name: name, Value: value}
}

// about returns a text such as "Kubernetes 1.36, from cluster.yaml and deploy/".
func (m *Map) about() string {
	var parts []string
	if m.KubernetesVersion != "" {
		parts = append(parts, "Kubernetes "+kubeversion.Unprefixed(m.KubernetesVersion))
	}
	if m.From != "" {
		parts = append(parts, "from "+m.From)
	}
	return strings.Join(parts, ", ")
}

// mix counts nodes by platform, and adds the counts to the headings of the groups.
func (m *Map) mix(groups []group, nodes int) []portion {
	var all []portion
	from := 0.0
	for i := range groups {
		g := &groups[i]
		count := 0
		for _, c := range g.Cards {
			count += m.Pools[c.ID].Count
		}
		g.About = fielderrors.Count(len(g.Cards), "pool") + ", " + fielderrors.Count(count, "node")
		p := portion{Look: g.Look, From: from, Nodes: fielderrors.Count(count, "node"), Group: g.ID}
		if nodes > 0 {
			p.Width = 100 * float64(count) / float64(nodes)
		}
		from += p.Width
		all = append(all, p)
	}
	return all
}

// LookOf returns the look of a platform.
func LookOf(p platform.Platform) Look {
	if p == platform.Linux {
		return Look{Class: "linux", Mark: "L", Round: true, Platform: "Linux"}
	}
	l := Look{Class: "other", Mark: "?", Platform: string(p)}
	if release, ok := p.Release(); ok {
		l.Platform = release.Name
		l.Mark = strings.TrimPrefix(strings.TrimPrefix(string(p), "windows-"), "20")
	}
	if slices.Contains([]platform.Platform{
		platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025,
	}, p) {
		l.Class = string(p)
	}
	return l
}

const (
	// listed is how many workloads a card shows at once, mostListed how many it has at all.
	listed, mostListed = 8, 60
	// mostWhere is how many pools a row of the table names.
	mostWhere = 8
)

func (m *Map) card(i int, l layout) card {
	p := &m.Pools[i]
	c := card{Look: LookOf(p.Platform), ID: i, Name: p.Name, Nodes: nodesOf(p.Pool), Build: p.Build, Facts: m.facts(p)}
	for _, t := range p.Taints {
		c.Taints = append(c.Taints, topology.FormatTaint(t))
	}
	c.Meters, c.RoomNote = meters(p)
	for _, landed := range p.Workloads {
		c.Entries = append(c.Entries, m.entry(landed))
	}
	c.More = max(len(c.Entries)-mostListed, 0)
	c.Entries = c.Entries[:len(c.Entries)-c.More]
	c.Summary = fielderrors.Count(len(p.Workloads), "workload")
	switch {
	case l.Dense:
		c.Entries, c.Later = nil, c.Entries
	case len(c.Entries) > listed+1:
		c.Entries, c.Later = c.Entries[:listed], c.Entries[listed:]
		c.Summary = fmt.Sprintf("%d more", len(p.Workloads)-listed)
	}
	if len(p.Workloads) == 0 {
		c.Summary = ""
	}
	return c
}

// nodesOf returns a text such as "2 nodes, at most 5".
func nodesOf(p topology.Pool) string {
	text := fielderrors.Count(p.Count, "node")
	if p.Count == 0 {
		text = "no nodes"
	}
	if most := p.Autoscaling.Max; p.Autoscaling.Enabled() && most > p.Count {
		text += fmt.Sprintf(", at most %d", most)
	}
	return text
}

// facts returns further facts about a pool.
func (m *Map) facts(p *Pool) []string {
	var all []string
	add := func(text string, is bool) {
		if is {
			all = append(all, text)
		}
	}
	add(p.Size, p.Size != "")
	add(p.Architecture(), p.Architecture() != topology.WindowsArchitecture)
	add("system pool", p.Mode == topology.System)
	version := kubeversion.Unprefixed(p.KubernetesVersion)
	add("kubelet "+version, version != "" && version != kubeversion.Unprefixed(m.KubernetesVersion))
	add("spot", p.Spot)
	add("zones "+strings.Join(p.Zones, ", "), len(p.Zones) > 1)
	add("zone "+strings.Join(p.Zones, ""), len(p.Zones) == 1)
	return all
}

// meters returns the bars of a pool, or a note instead of them.
func meters(p *Pool) ([]meter, string) {
	each, known := p.Allocatable()
	switch {
	case !known && p.Size == "":
		return nil, "Room unknown: the pool has no size."
	case !known:
		return nil, "Room unknown: the size " + p.Size + " is not known."
	case p.Count == 0:
		return nil, fmt.Sprintf("A node would have %s CPUs and %s GiB for pods.",
			landings.RoundDown(landings.CPUs(each)), landings.RoundDown(landings.GiB(each)))
	}
	return []meter{
		newMeter("CPU", "", p.Room, landings.CPUs), newMeter("Memory", " GiB", p.Room, landings.GiB),
	}, ""
}

func newMeter(name, unit string, room *Room, of func(corev1.ResourceList) float64) meter {
	used, choice, total := of(room.Used), of(room.Choice), of(room.Total)
	m := meter{Name: name, Used: up(used), Of: down(total) + unit, Over: used > total}
	if choice > 0 {
		m.Used += " to " + up(used+choice)
	}
	if total > 0 {
		m.Fill = min(100*used/total, 100)
		m.Choice = min(100*choice/total, 100-m.Fill)
	}
	return m
}

// wholeFrom is the smallest number without decimals.
const wholeFrom = 100

func up(n float64) string {
	if n >= wholeFrom {
		return landings.RoundUp(math.Ceil(n))
	}
	return landings.RoundUp(n)
}

func down(n float64) string {
	if n >= wholeFrom {
		return landings.RoundDown(math.Floor(n))
	}
	return landings.RoundDown(n)
}

func (m *Map) entry(l Landed) entry {
	w := m.Workloads[l.Workload]
	e := entry{Name: w.Name, Kind: w.Kind, Workload: l.Workload, Pods: fielderrors.Count(l.Pods, "pod")}
	switch {
	case l.PerNode:
		e.Pods = "on each node"
	case l.Perhaps:
		e.Pods = "perhaps " + e.Pods
	case l.Others > 0 && l.Pods > 0:
		e.Pods = "up to " + e.Pods
	}
	if l.Others > 0 {
		e.Note = "or on " + fielderrors.Count(l.Others, "other pool")
	}
	return e
}

func (m *Map) row(i, problem int, l layout) row {
	w := &m.Workloads[i]
	r := row{ID: i, Name: w.Name, Kind: w.Kind, Pods: strconv.Itoa(w.Pods), Requests: "none", Problem: problem}
	if w.PerNode {
		r.Pods = "1 per node"
	}
	if cpu, memory := landings.CPUs(w.Requests), landings.GiB(w.Requests); cpu+memory > 0 {
		r.Requests = landings.RoundUp(cpu) + " CPU, " + landings.RoundUp(memory) + " GiB"
	}
	r.Where = append(m.where(w.On, w.seen, "", l), m.where(w.Perhaps, nil, "perhaps ", l)...)
	return r
}

// where names pools: all of them, or all of a platform, in one word.
func (m *Map) where(pools []int, seen *observed, prefix string, l layout) []where {
	if len(pools) == len(m.Pools) && len(pools) > fewPools {
		return []where{{Text: prefix + "all " + fielderrors.Count(len(pools), "pool"), Pool: -1, Group: -1}}
	}
	var all []where
	left := pools
	for _, g := range l.Groups {
		in := slices.DeleteFunc(slices.Clone(pools), func(i int) bool { return LookOf(m.Pools[i].Platform) != g.Look })
		if l.Grouped && len(in) == len(g.Cards) && len(in) > 2 {
			text := fmt.Sprintf("%sall %d %s pools", prefix, len(in), g.Platform)
			all = append(all, where{Look: g.Look, Text: text, Pool: -1, Group: g.ID})
			left = slices.DeleteFunc(slices.Clone(left), func(i int) bool { return slices.Contains(in, i) })
		}
	}
	for n, i := range left {
		if n == mostWhere && len(left) > mostWhere+1 {
			return append(all, where{Text: fmt.Sprintf("and %d more", len(left)-n), Pool: -1, Group: -1})
		}
		text := prefix + m.Pools[i].Name
		if seen != nil && len(pools) > 1 {
			text += fmt.Sprintf(" (%d)", seen.on[i])
		}
		all = append(all, where{Look: LookOf(m.Pools[i].Platform), Text: text, Pool: i, Group: -1})
	}
	return all
}
