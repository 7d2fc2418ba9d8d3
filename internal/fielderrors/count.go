package fielderrors

import "fmt"

// Count says how many of something there are: 1 error, 2 errors.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
