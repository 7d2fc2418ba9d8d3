package kubeapi

import (
	"net/url"
	"strings"
)

// Object identifies the object, or the collection of objects, of a request.
type Object struct {
	// API is the version of the API with its group: "v1", or "policy/v1".
	API string
	// Resource is the plural name, "secrets".
	Resource string
	// Namespace is empty for objects without a namespace, and for the objects of all namespaces.
	Namespace string
	// Name is empty for a collection.
	Name string
	// Subresource is "eviction" for example, or empty.
	Subresource string
}

// collection returns the collection of the object.
func (o Object) collection() Object {
	o.Name, o.Subresource = "", ""
	return o
}

func (o Object) path() string {
	parts := []string{"", "api", o.API}
	if group, version, grouped := strings.Cut(o.API, "/"); grouped {
		parts = []string{"", "apis", group, version}
	}
	if o.Namespace != "" {
		parts = append(parts, "namespaces", o.Namespace)
	}
	parts = append(parts, o.Resource)
	if o.Name != "" {
		parts = append(parts, o.Name)
	}
	if o.Subresource != "" {
		parts = append(parts, o.Subresource)
	}
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

// String returns a readable name, "secrets kube-system/default" for example.
func (o Object) String() string {
	text := o.Resource
	if o.Subresource != "" {
		text += "/" + o.Subresource
	}
	switch {
	case o.Namespace != "" && o.Name != "":
		text += " " + o.Namespace + "/" + o.Name
	case o.Namespace != "":
		text += " in " + o.Namespace
	case o.Name != "":
		text += " " + o.Name
	}
	return text
}
