package arm

import "strings"

// at returns the value at a path in a body, nil if there is none.
func at(body Body, path string) any {
	key, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		return body[key]
	}
	inner, _ := body[key].(Body)
	return at(inner, rest)
}

func textAt(body Body, path string) string {
	text, _ := at(body, path).(string)
	return text
}

// textsAt returns the strings of a list.
func textsAt(body Body, path string) []string {
	values, _ := at(body, path).([]any)
	var texts []string
	for _, value := range values {
		if text, ok := value.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// bodiesAt returns the objects of a list.
func bodiesAt(body Body, path string) []Body {
	values, _ := at(body, path).([]any)
	bodies := make([]Body, 0, len(values))
	for _, value := range values {
		if object, ok := value.(Body); ok {
			bodies = append(bodies, object)
		}
	}
	return bodies
}

// idsAt returns the IDs of a list of references.
func idsAt(body Body, path string) []string {
	var ids []string
	for _, object := range bodiesAt(body, path) {
		ids = append(ids, textAt(object, "id"))
	}
	return ids
}

func setAt(body Body, path string, value any) {
	key, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		body[key] = value
		return
	}
	inner, ok := body[key].(Body)
	if !ok {
		inner = Body{}
		body[key] = inner
	}
	setAt(inner, rest, value)
}

// defaultAt sets a property that is not set.
func defaultAt(body Body, path string, value any) {
	if at(body, path) == nil {
		setAt(body, path, value)
	}
}

func removeAt(body Body, path string) {
	key, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		delete(body, key)
	} else if inner, ok := body[key].(Body); ok {
		removeAt(inner, rest)
	}
}

// take removes a string from a body and returns it.
func take(body Body, path string) string {
	text := textAt(body, path)
	removeAt(body, path)
	return text
}

// dropNulls removes null values: Azure treats them as not set.
func dropNulls(body Body) {
	for key, value := range body {
		switch v := value.(type) {
		case nil:
			delete(body, key)
		case Body:
			dropNulls(v)
		}
	}
}

// merge merges a body into another one: objects key by key, anything else as a whole.
func merge(under, over Body) Body {
	merged := clone(under)
	for key, value := range over {
		inner, isObject := value.(Body)
		below, wasObject := merged[key].(Body)
		if isObject && wasObject {
			value = merge(below, inner)
		}
		merged[key] = value
	}
	return merged
}

// keep copies properties that cannot be changed from the old body if the new one leaves them out. It returns the first
// path that was changed.
func keep(old, body Body, paths []string) (changedPath string) {
	for _, path := range paths {
		before, now := at(old, path), at(body, path)
		switch {
		case now == nil && before != nil:
			setAt(body, path, before)
		case now != nil && !alike(before, now) && (before != nil || !isNothing(now)):
			return path
		}
	}
	return ""
}

// alike compares strings, which may be IDs or names, case-insensitively.
func alike(a, b any) bool {
	x, isText := a.(string)
	y, isTextToo := b.(string)
	if isText && isTextToo {
		return strings.EqualFold(x, y)
	}
	return same(a, b)
}

// isNothing reports whether a value means the same as a property that is not set.
func isNothing(value any) bool {
	switch v := value.(type) {
	case string:
		return v == ""
	case bool:
		return !v
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	case Body:
		return len(v) == 0
	default:
		return v == nil
	}
}
