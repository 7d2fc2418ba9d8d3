// Package manifests reads the files with manifests that people name, and writes into
// them.
//
// [Read] finds them: a file, a folder, a pattern, an address. One parse of a text gives
// its documents, each with its value, as package tree has it, and the line of everything
// in it: [ReadYAML] to look at them, [NewText] to edit them. [Text.Add] inserts text where
// values belong and encodes nothing again: comments, order, quoting, line ends and
// document marks stay as they are. What it cannot tell for sure it leaves to its caller,
// who reads the new text again and compares: a value of several lines at the end of a
// list, for example.
//
// The package also reads the file with the cluster's topology, as the commands take it,
// and writes lines for a terminal that hold names of files and objects.
package manifests
