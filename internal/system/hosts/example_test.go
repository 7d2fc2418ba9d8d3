package hosts_test

import (
	"fmt"
	"net/url"

	"github.com/mixedkube/mixedkube/internal/system/hosts"
)

func Example() {
	at, _ := url.Parse("https://169.254.169.254/latest/meta-data/")
	fmt.Println(hosts.Check(at))
	fmt.Println(hosts.Related("registry.example.com", "auth.example.com"))
	// Output:
	// leads to 169.254.169.254, an address of a cloud's metadata or of the local link: use another address
	// true
}
