// Package escape makes texts of strangers harmless for what reads the output: terminals, the agents of CI services,
// which take commands from the lines of a log, and viewers of reports, which make links. Each reader has one function.
//
// An escape is written only where the reader would do something else than show the text, so that other texts do not
// change. The functions for data ([JSON], [XML], [YAML]) use the escapes of their format: a parser gets the same text.
package escape
