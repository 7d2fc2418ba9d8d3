package credspec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/nearest"
	"github.com/mixedkube/mixedkube/internal/tree"
)

// Decode reads a credential specification as New-CredentialSpec writes it. Each key must
// be known, as written, and each that Windows needs must be there: it would not say what
// it has not found. Errors name their lines, and never show PluginInput.
func Decode(text string, path *field.Path) (Specification, field.ErrorList) {
	doc, errs := parse(text, path)
	if len(errs) > 0 {
		return Specification{}, errs
	}
	d := &decoder{}
	s := d.specification(doc.Value, path)
	if len(d.errs) == 0 {
		d.errs = s.check(path)
	}
	for _, err := range d.errs {
		err.Detail = atLine(doc.Line(strings.TrimPrefix(err.Field, path.String())), err.Detail)
	}
	return s, d.errs
}

func atLine(line int, detail string) string { return fmt.Sprintf("line %d: %s", line, detail) }

// parse reads one JSON value, with its lines. Package tree would read YAML as well.
func parse(text string, path *field.Path) (tree.Document, field.ErrorList) {
	wrong := func(line int, detail string) field.ErrorList {
		return field.ErrorList{field.Invalid(path, field.OmitValueType{}, atLine(line, detail))}
	}
	content := bytes.TrimPrefix([]byte(text), []byte("\uFEFF"))
	if err := json.Unmarshal(content, new(any)); err != nil {
		line := 1
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line += bytes.Count(content[:min(int(syntax.Offset), len(content))], []byte("\n"))
		}
		return tree.Document{}, wrong(line, "not JSON: "+err.Error())
	}
	docs, err := tree.ReadYAML(bytes.NewReader(content), path.String())
	if err != nil {
		var errs field.ErrorList
		for _, err := range eachOf(err) {
			if at, ok := errors.AsType[*tree.Error](err); ok {
				errs = append(errs, wrong(at.Line, at.Detail)...)
			} else {
				errs = append(errs, wrong(1, err.Error())...)
			}
		}
		return tree.Document{}, errs
	}
	if len(docs) != 1 {
		return tree.Document{}, wrong(1, "must be one JSON object")
	}
	return docs[0], nil
}

func eachOf(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// decoder goes through the tree by hand: encoding/json would take keys in any case, and
// would not say where a value is.
type decoder struct {
	errs field.ErrorList
}

func (d *decoder) specification(v any, path *field.Path) Specification {
	root := d.object(v, path, "CmsPlugins", "DomainJoinConfig", "ActiveDirectoryConfig")
	s := Specification{}
	for i, plugin := range d.list(root, "CmsPlugins", path) {
		name, ok := plugin.(string)
		if !ok {
			d.invalid(path.Child("CmsPlugins").Index(i), "must be a string")
		}
		s.CmsPlugins = append(s.CmsPlugins, name)
	}
	if len(s.CmsPlugins) > 0 && !slices.Contains(s.CmsPlugins, activeDirectory) {
		d.invalid(path.Child("CmsPlugins"), "must contain "+activeDirectory)
	}

	join, at := d.child(root, "DomainJoinConfig", path, "Sid", "MachineAccountName", "Guid", "DnsTreeName", "DnsName",
		"NetBiosName")
	s.DomainJoinConfig = DomainJoinConfig{
		SID:                d.text(join, "Sid", at),
		MachineAccountName: d.text(join, "MachineAccountName", at),
		GUID:               d.text(join, "Guid", at),
		DNSTreeName:        d.text(join, "DnsTreeName", at),
		DNSName:            d.text(join, "DnsName", at),
		NetBIOSName:        d.text(join, "NetBiosName", at),
	}

	config, at := d.child(root, "ActiveDirectoryConfig", path, "GroupManagedServiceAccounts", "HostAccountConfig")
	for i, v := range d.list(config, "GroupManagedServiceAccounts", at) {
		of := at.Child("GroupManagedServiceAccounts").Index(i)
		account := d.object(v, of, "Name", "Scope")
		s.ActiveDirectoryConfig.GroupManagedServiceAccounts = append(
			s.ActiveDirectoryConfig.GroupManagedServiceAccounts,
			ScopedAccount{d.text(account, "Name", of), d.text(account, "Scope", of)},
		)
	}
	if _, ok := config["HostAccountConfig"]; ok {
		plugin, of := d.child(config, "HostAccountConfig", at, "PortableCcgVersion", "PluginGUID", "PluginInput")
		s.ActiveDirectoryConfig.HostAccountConfig = &PluginConfig{
			PortableCcgVersion: d.text(plugin, "PortableCcgVersion", of),
			PluginGUID:         d.text(plugin, "PluginGUID", of),
			PluginInput:        d.text(plugin, "PluginInput", of),
		}
	}
	return s
}

// invalid leaves the value out: it can be long, or secret.
func (d *decoder) invalid(path *field.Path, detail string) {
	d.errs = append(d.errs, field.Invalid(path, field.OmitValueType{}, detail))
}

// object is a value that has no other keys than those. It is nil where it is none, which
// has been said then.
func (d *decoder) object(v any, path *field.Path, keys ...string) map[string]any {
	object, ok := v.(map[string]any)
	if !ok {
		d.invalid(path, "must be an object")
		return nil
	}
	for key := range object {
		if !slices.Contains(keys, key) {
			d.invalid(path.Child(key), nearest.Unknown("key", key, keys))
		}
	}
	return object
}

// child is an object in another one. Of one that is nil, enough has been said.
func (d *decoder) child(
	parent map[string]any, key string, path *field.Path, keys ...string,
) (map[string]any, *field.Path) {
	path = path.Child(key)
	v, ok := parent[key]
	switch {
	case parent == nil:
		return nil, path
	case !ok:
		d.errs = append(d.errs, field.Required(path, "an object with "+strings.Join(keys, ", ")))
		return nil, path
	}
	return d.object(v, path, keys...), path
}

// list has one element at least.
func (d *decoder) list(parent map[string]any, key string, path *field.Path) []any {
	path = path.Child(key)
	v, ok := parent[key]
	if parent == nil {
		return nil
	}
	list, isList := v.([]any)
	switch {
	case ok && !isList:
		d.invalid(path, "must be a list")
	case len(list) == 0:
		d.errs = append(d.errs, field.Required(path, "a list with one element at least"))
	}
	return list
}

func (d *decoder) text(parent map[string]any, key string, path *field.Path) string {
	path = path.Child(key)
	v, ok := parent[key]
	text, isText := v.(string)
	switch {
	case parent == nil:
	case !ok:
		d.errs = append(d.errs, field.Required(path, "New-CredentialSpec writes it"))
	case !isText:
		d.invalid(path, "must be a string")
	case text == "":
		d.errs = append(d.errs, field.Required(path, "must not be empty"))
	}
	return text
}
