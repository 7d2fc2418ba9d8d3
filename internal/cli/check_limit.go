package cli

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// objectLimit limits the objects of a run. Several goroutines may add some.
type objectLimit struct {
	most int

	mutex   sync.Mutex
	objects int
	// unread are the files that were not read.
	unread []string
}

func (l *objectLimit) add(objects int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.objects += objects
}

// reached reports whether a file must not be read, because there are too many objects.
func (l *objectLimit) reached(file string) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.objects <= l.most {
		return false
	}
	l.unread = append(l.unread, file)
	return true
}

// problems returns an error if there are too many objects.
func (l *objectLimit) problems() []error {
	if l.objects <= l.most {
		return nil
	}
	what := ""
	if len(l.unread) > 0 {
		slices.Sort(l.unread)
		what = fmt.Sprintf(", and %d files are not read: %s", len(l.unread), firstOf(l.unread))
	}
	return []error{fmt.Errorf("more than %d objects%s: name fewer paths at once", l.most, what)}
}

// mostUnread is how many names of files that are not read an error has.
const mostUnread = 10

// firstOf returns the first names, and the number of the others.
func firstOf(names []string) string {
	n := len(names)
	text := strings.Join(names[:min(n, mostUnread)], ", ")
	if n > mostUnread {
		text += fmt.Sprintf(" and %d more", n-mostUnread)
	}
	return text
}
