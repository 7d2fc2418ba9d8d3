// Package image builds the container image of the command mixedkube: a directory in the layout of the Open Container
// Initiative, which registries and engines accept. It needs neither a registry nor an engine.
//
// The image contains only the program and the certificates of the authorities that the program trusts when it connects
// to registries: no shell, no package of a distribution. The same program, version and time produce the same image,
// byte by byte.
package image
