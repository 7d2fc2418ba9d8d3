// Package costs reads and writes the table of what the tests of each package cost, from which `make check` chooses
// the tests that it runs. A line has a directory from the root of the checkout, and the whole seconds that `go test`
// reports, which do not include the link of the test's binary.
package costs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// File is the table, from the root of the checkout.
const File = "tests/cmd/check/costs.txt"

// heading is the text above the lines.
const heading = `# The seconds that go test reports for each package, for make check. Written by make costs.
# A package without a line has an estimate: see estimate in plan.go.
`

// Read returns the seconds of each directory in the table of a checkout.
func Read(checkout string) (map[string]int, error) {
	text, err := os.ReadFile(filepath.Join(checkout, filepath.FromSlash(File)))
	if err != nil {
		return nil, err
	}
	table, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	return table, nil
}

// Write replaces the lines of the measured directories in the table of a checkout. It retains the other lines, because
// a cached result has no time, and removes the lines of directories that do not exist.
func Write(checkout string, measured map[string]time.Duration) error {
	table, err := Read(checkout)
	if errors.Is(err, fs.ErrNotExist) {
		table, err = map[string]int{}, nil
	}
	if err != nil {
		return err
	}
	for dir, took := range measured {
		table[dir] = int(took.Round(time.Second).Seconds())
	}
	maps.DeleteFunc(table, func(dir string, _ int) bool {
		_, err := os.Stat(filepath.Join(checkout, filepath.FromSlash(dir)))
		return errors.Is(err, fs.ErrNotExist)
	})
	return os.WriteFile(filepath.Join(checkout, filepath.FromSlash(File)), format(table), 0o644)
}

func parse(text string) (map[string]int, error) {
	table := map[string]int{}
	number := 0
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		number++
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 2 {
			return nil, fmt.Errorf("line %d: %q is not a directory and whole seconds", number, line)
		}
		seconds, err := strconv.Atoi(fields[1])
		if err != nil || seconds < 0 {
			return nil, fmt.Errorf("line %d: %q is not a number of whole seconds", number, fields[1])
		}
		if _, exists := table[fields[0]]; exists {
			return nil, fmt.Errorf("line %d: %s is in the table twice", number, fields[0])
		}
		table[fields[0]] = seconds
	}
	return table, nil
}

func format(table map[string]int) []byte {
	var out bytes.Buffer
	out.WriteString(heading)
	for _, dir := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintf(&out, "%s %d\n", dir, table[dir])
	}
	return out.Bytes()
}
