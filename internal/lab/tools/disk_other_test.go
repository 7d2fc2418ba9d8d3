//go:build !linux

package tools

func prepareChild(string) error { return nil }
