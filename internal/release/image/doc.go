// Package image makes the container image of the command mixedkube: a folder in the layout of the Open
// Container Initiative, which registries and engines accept. It needs neither a registry nor an engine.
//
// The image contains the program and the certificates of the authorities that the program trusts when it
// asks registries, and nothing else: no shell, no package of a distribution. The same program, version and
// time give the same image, byte by byte.
package image
