// Package placeholder finds texts that another program replaces before the API server sees an object: envsubst, sed, a
// template engine, or a reader of documentation. Their value is not known.
package placeholder
