// Package manifests reads the text of manifests, and edits it. Package userfiles finds the files.
//
// Parsing a text returns its documents, each with its value as a tree (package tree) and the line of everything in it:
// [ReadYAML] to inspect them, [NewText] to edit them. [Text.Edit] inserts and removes text where values belong and does
// not encode the rest again: comments, order, quoting, line ends and document marks stay unchanged. The parser does not return where a value ends, and
// knows more line ends than this package: the caller has to read the new text again and compare.
//
// The package also decodes files that describe one thing, such as the topology of a cluster.
package manifests
