// Package yamledit adds values to the objects of a YAML or JSON file by inserting
// text where they belong. It encodes nothing again: comments, order, quoting,
// line ends and document marks stay as they are.
//
// It reads the text as internal/tree does, lists taken apart, and knows where the
// keys are. What it cannot tell for sure it leaves to its caller, who reads the
// new text again and compares: an anchor that is used twice, a merge key, a value
// of several lines at the end of a list.
package yamledit
