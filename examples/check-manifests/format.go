package main

import "io"

// formats are the values of the flag -format.
var formats = map[string]func(io.Writer, report) error{"text": writeText, "json": writeJSON, "sarif": writeSARIF}
