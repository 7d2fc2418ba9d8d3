// Package image makes the container image of the command mixedkube: a folder in the layout of the Open
// Container Initiative, which registries and engines take. It needs neither of them.
//
// The image holds the program, the certificates of the authorities that the program trusts when it asks
// registries, and nothing else: no shell, no package of a distribution. The same program, version and
// time give the same image, byte by byte.
package image
