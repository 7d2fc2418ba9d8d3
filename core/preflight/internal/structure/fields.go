package structure

// fields are the fields of a type by their names. Every field of every object is looked up, and this takes less than
// half the time of a map: a few bytes of a name are enough to find its slot.
type fields struct {
	// slots have at least as many empty slots as full ones. A name whose slot is full is in the next empty one.
	slots []slot
	// sorted are the full slots, in the alphabetical order of the names.
	sorted []*slot
}

type slot struct {
	name string
	field
}

func newFields(names []string, of map[string]field) fields {
	size := 2
	for size < 2*len(names) {
		size *= 2
	}
	f := fields{slots: make([]slot, size)}
	for _, name := range names {
		s := f.slot(name)
		*s = slot{name, of[name]}
		f.sorted = append(f.sorted, s)
	}
	return f
}

// get returns a field, nil if there is none with the name.
func (f *fields) get(name string) *field {
	if s := f.slot(name); s.name != "" {
		return &s.field
	}
	return nil
}

// slot returns the slot of a name, or the empty one in its place.
func (f *fields) slot(name string) *slot {
	if name == "" {
		return &slot{}
	}
	n := len(name)
	at := uint(9*n) + uint(name[0]) + 33*uint(name[n-1]) + 7*uint(name[n/2])
	for mask := uint(len(f.slots) - 1); ; at++ {
		if s := &f.slots[at&mask]; s.name == name || s.name == "" {
			return s
		}
	}
}
