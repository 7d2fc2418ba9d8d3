package payload_test

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/testkit/payload"
)

// A script carries a payload in its text. Only the key on the machine opens it.
func Example() {
	vector := payload.Vectors()[0]
	found := payload.In("echo " + vector.Payload)
	fmt.Println("found:", found == vector.Payload, payload.Check(found))
	plain, err := payload.Decrypt(found, vector.Key)
	fmt.Println("decrypted:", string(plain) == vector.Plaintext, err)
	// Output:
	// found: true <nil>
	// decrypted: true <nil>
}
