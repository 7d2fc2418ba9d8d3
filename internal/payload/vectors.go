package payload

import (
	_ "embed"
	"encoding/json"
)

// Vector is a payload with what it was made of.
type Vector struct {
	// Secret is what bootstrap.NewPayloadKey made the key of, and Key the content of the
	// key's file.
	Secret, Key        string
	Plaintext, Payload string
}

//go:embed vectors.json
var vectors []byte

// Vectors are for tests: machines that are there keep their keys, so bootstrap has to
// encrypt these forever, and its scripts and [Decrypt] have to decrypt them.
func Vectors() []Vector {
	var all []Vector
	if err := json.Unmarshal(vectors, &all); err != nil {
		panic(err) // the file is embedded
	}
	return all
}
