// Package hostile runs the command on what strangers write, and on what they do not.
//
//	go test ./hostile
//	go test ./hostile -v -timeout 1h -inputs 5000 -seed 7
//	go test ./hostile -v -seed 7 -only 12
//
// A hostile input is a kind in a place. A kind is a text that is a command to a reader of the output, a document that
// costs a lot, a pattern, a template, a link or another special file, entries of an archive, or the answers of a
// registry. A place is a file, a directory, an archive, standard input, a chart, a state, a registry or the
// configuration. Each pair that is possible is tried once, each file that the command writes is tried as a link, and
// random pairs follow. Whatever the input is, the command
//
//   - ends by itself, with one of its exit codes, within its bounds of memory and processor time;
//   - changes nothing except the files that it was told to write, and leaves no temporary file;
//   - shows nothing of the files, variables and passwords of its user;
//   - shows nothing that a terminal, an agent of a CI service or another reader takes for its own language;
//   - sends no request to a host that the user did not name.
//
// The other tests hold that this is not for the price of refusing: 1,000 good files and 20 good charts in the same
// places, in the encodings and behind the links that people use, have the findings that their table lists.
package hostile
