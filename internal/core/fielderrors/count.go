package fielderrors

import "fmt"

// Count returns a number with a noun in the singular or plural: 1 error, 2 errors.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
