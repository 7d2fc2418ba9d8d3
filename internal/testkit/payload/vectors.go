package payload

import (
	_ "embed"
	"encoding/json"
)

// Vector is a payload with the secret, the key and the plaintext that it was created from.
type Vector struct {
	// Secret is the secret that bootstrap.NewPayloadKey creates the key from; Key is the content of
	// the key's file.
	Secret, Key        string
	Plaintext, Payload string
}

//go:embed vectors.json
var vectors []byte

// Vectors returns test vectors: existing machines keep their keys, so bootstrap must encrypt these
// forever, and its scripts and [Decrypt] must decrypt them.
func Vectors() []Vector {
	var all []Vector
	if err := json.Unmarshal(vectors, &all); err != nil {
		panic(err) // the file is embedded
	}
	return all
}
