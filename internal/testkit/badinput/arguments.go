package badinput

import (
	"fmt"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// argument is a place in a tree of arguments that can be set to a bad value.
type argument struct {
	// path is the path that errors name.
	path string
	// key is true for a key of the map at path.
	key bool
	// value can be set. It is in the tree only after commit.
	value  reflect.Value
	commit func()
}

// secretName matches the names of arguments that no text may show.
var secretName = regexp.MustCompile(
	`(?i)(password|secret|token|privateKey|certificateKey|encryptionKey|pluginInput)(s\[\d+\])?$`)

// walker visits the arguments below a value.
type walker struct {
	visit func(argument)
	// forms are the types that an interface can hold.
	forms []reflect.Type
	// untried is called for a value that has no arguments in the tree although its type has some.
	// Below a type of another module, only the arguments that are set are visited.
	untried func(path string)
	others  bool
}

var (
	addressType = reflect.TypeFor[netip.Addr]()
	prefixType  = reflect.TypeFor[netip.Prefix]()
)

// walk visits all arguments below v, which can be set; commit puts it into the tree.
func (w walker) walk(v reflect.Value, path string, commit func()) {
	if w.others && v.IsZero() {
		return
	}
	leaf := func() { w.visit(argument{path: path, value: v, commit: commit}) }
	switch {
	case v.Type() == addressType, v.Type() == prefixType:
		leaf()
		return
	case v.CanInt(), v.CanUint(), v.CanFloat():
		leaf()
		return
	}
	switch v.Kind() {
	case reflect.String:
		leaf()
	case reflect.Bool:
	case reflect.Interface:
		w.walkInterface(v, path, commit)
	case reflect.Pointer:
		if v.IsNil() {
			w.untried(path)
			return
		}
		w.walk(v.Elem(), path, commit)
	case reflect.Struct:
		w.others = w.others || isOthers(v.Type())
		for i := range v.NumField() {
			if name, ok := fieldPath(v.Type().Field(i), path); ok {
				w.walk(v.Field(i), name, commit)
			}
		}
	case reflect.Slice:
		w.walkSlice(v, path, commit)
	case reflect.Map:
		w.walkMap(v, path, commit)
	default:
		w.untried(path)
	}
}

// isOthers reports whether a type of arguments belongs to another module that checks them itself. The library
// does check the fields of Kubernetes' types.
func isOthers(t reflect.Type) bool {
	return strings.Contains(t.PkgPath(), "/pulumi-azure-native-sdk/")
}

// fieldPath returns the path of a field, false for a field that is not an argument.
func fieldPath(f reflect.StructField, below string) (string, bool) {
	tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case !f.IsExported(), tag == "-":
		return "", false
	case f.Anonymous && tag == "":
		return below, true
	case tag == "":
		tag = lowerCamel(f.Name)
	}
	return strings.TrimPrefix(below+"."+tag, "."), true
}

// lowerCamel begins a name with a lower-case letter, or a lower-case abbreviation: osDiskType,
// id, sha256, sshPublicKey.
func lowerCamel(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		startsWord := i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if !unicode.IsUpper(r) || startsWord {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

// walkInterface walks a value that implements the interface: the existing value if it has a known form, otherwise a
// new one.
func (w walker) walkInterface(v reflect.Value, path string, commit func()) {
	held := v.Elem()
	if held.IsValid() && held.Kind() == reflect.Pointer && !held.IsNil() {
		w.walk(held.Elem(), path, commit)
		return
	}
	form := slices.IndexFunc(w.forms, func(t reflect.Type) bool { return t.Implements(v.Type()) })
	known := held.IsValid() && (slices.Contains(w.forms, held.Type()) || held.Kind() == reflect.Struct &&
		strings.HasSuffix(held.Type().Name(), "Args"))
	var made reflect.Value
	switch {
	case known:
		made = reflect.New(held.Type()).Elem()
		made.Set(held)
	case form >= 0:
		made = reflect.New(w.forms[form]).Elem()
	default:
		w.untried(path)
		return
	}
	w.walk(made, path, func() { v.Set(made); commit() })
}

// walkSlice walks the elements, or a new one if there is none and an element is a text or a number.
func (w walker) walkSlice(v reflect.Value, path string, commit func()) {
	if v.Len() > 0 {
		for i := range v.Len() {
			w.walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i), commit)
		}
		return
	}
	if isComposite(v.Type().Elem()) {
		w.untried(path)
		return
	}
	one := reflect.MakeSlice(v.Type(), 1, 1)
	w.walk(one.Index(0), path+"[0]", func() { v.Set(one); commit() })
}

// walkMap walks the keys and the values, or a new key if there is none.
func (w walker) walkMap(v reflect.Value, path string, commit func()) {
	if v.Len() == 0 && isComposite(v.Type().Elem()) {
		w.untried(path)
		return
	}
	keys := v.MapKeys()
	empty := len(keys) == 0
	if empty {
		keys = []reflect.Value{reflect.ValueOf("example").Convert(v.Type().Key())}
	}
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	put := func(old, key, element reflect.Value) {
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		v.SetMapIndex(old, reflect.Value{})
		v.SetMapIndex(key, element)
		commit()
	}
	for _, old := range keys {
		element := reflect.New(v.Type().Elem()).Elem()
		if was := v.MapIndex(old); was.IsValid() {
			element.Set(was)
		}
		key := reflect.New(v.Type().Key()).Elem()
		key.Set(old)
		if isText := key.Kind() == reflect.String; isText {
			w.visit(argument{path: path, key: true, value: key, commit: func() { put(old, key, element) }})
		}
		if empty {
			continue
		}
		w.walk(element, fmt.Sprintf("%s[%s]", path, old), func() { put(old, old, element) })
	}
}

// isComposite reports whether an empty element would not be valid.
func isComposite(t reflect.Type) bool {
	if t == addressType || t == prefixType {
		return false
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	default:
		return false
	}
}
