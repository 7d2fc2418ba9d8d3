package main

import "testing"

// What is longer than this is more than one thing.
const (
	longestFile     = 450
	longestFunction = 90
	roomsInInternal = 12
)

func TestNothingIsTooLong(t *testing.T) {
	t.Parallel()
	files, err := goFiles("HEAD")
	if err != nil {
		t.Skip(err)
	}
	s, err := measure(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []part{s.library, s.lab} {
		if p.longestFile.lines > longestFile {
			t.Errorf("a file has more than %d lines: %s", longestFile, p.longestFile)
		}
		if p.longestFunction.lines > longestFunction {
			t.Errorf("a function has more than %d lines: %s", longestFunction, p.longestFunction)
		}
	}
	if len(s.folders) > roomsInInternal {
		t.Errorf("there are %d folders in internal, which has room for %d: %v", len(s.folders), roomsInInternal,
			s.folders)
	}
}
