package proctime

import (
	"maps"
	"slices"
	"time"
)

// key identifies a process: its ID can be used again.
type key struct {
	pid     int
	started uint64
}

// account is the time of a process.
type account struct {
	key
	parent key
	name   string
	owner  Owner
	// own is the time of the process, waited the time of the children for which it has waited, and of theirs.
	own, waited time.Duration
	alive       bool
}

// book has the accounts of all processes that were seen.
type book struct {
	root     int
	belongs  func(Process) bool
	own      func(Process, Owner) Owner
	accounts map[key]*account
	// others are the processes that do not belong here.
	others map[key]string
}

func newBook(root int, belongs func(Process) bool, own func(Process, Owner) Owner) *book {
	return &book{root, belongs, own, map[key]*account{}, map[key]string{}}
}

// read updates the accounts.
func (b *book) read() { b.update(running(), describe) }

// update enters what a reading found. The function details reads what finding the owner needs.
func (b *book) update(found []stat, details func(stat) Process) {
	byPID := map[int]stat{}
	for _, s := range found {
		byPID[s.pid] = s
	}
	for _, a := range b.accounts {
		a.alive = false
	}
	// Parents first: a process is never older than its parent, except if the parent has adopted it.
	slices.SortFunc(found, func(x, y stat) int {
		if x.started != y.started {
			return int(x.started) - int(y.started)
		}
		return x.pid - y.pid
	})
	for _, s := range found {
		b.enter(s, byPID[s.parent].key, details)
	}
	maps.DeleteFunc(b.others, func(k key, _ string) bool { return byPID[k.pid].key != k })
}

func (b *book) enter(s stat, parent key, details func(stat) Process) {
	a := b.accounts[s.key]
	if a == nil || a.name != s.name { // a new process, or another program in it
		if name, ok := b.others[s.key]; a == nil && ok && name == s.name {
			return
		}
		above, inherited := b.accounts[parent]
		p := details(s)
		if a == nil && !inherited && s.parent != b.root && !b.belongs(p) {
			b.others[s.key] = s.name
			return
		}
		if a == nil {
			a = &account{key: s.key}
			if inherited {
				a.owner = above.owner
			}
			b.accounts[s.key] = a
		}
		a.name, a.owner = s.name, b.own(p, a.owner)
	}
	// An orphan's time is not in what its first parent has waited for.
	a.parent, a.own, a.waited, a.alive = parent, s.own, s.waited, true
}

// sums returns the time of each owner.
func (b *book) sums() map[Owner]Use {
	ended := map[key][]*account{}
	for _, a := range b.accounts {
		if !a.alive {
			ended[a.parent] = append(ended[a.parent], a)
		}
	}
	// Children that have ended are in accounts of their own, and in the time for which their parents have waited,
	// unless a parent ended before it was read again.
	var total func(*account) time.Duration
	children := func(a *account) (sum time.Duration) {
		for _, child := range ended[a.key] {
			sum += total(child)
		}
		return sum
	}
	total = func(a *account) time.Duration { return a.own + max(a.waited, children(a)) }
	sums := map[Owner]Use{}
	for _, a := range b.accounts {
		use := sums[a.owner]
		sums[a.owner] = Use{use.Time + a.own + max(0, a.waited-children(a)), use.Processes + 1}
	}
	return sums
}
