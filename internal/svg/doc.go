// Package svg draws pictures of boxes, lines and texts, in light and dark, and estimates the width of
// texts.
//
// A [Drawing] collects the elements, and [Drawing.Document] returns the file: with a title and a
// description for screen readers, and system fonts. The file loads nothing. A viewer that does not
// support CSS shows it in light colors. A page has the same colors from [Properties].
//
// The package is pure, and escapes every text.
package svg
