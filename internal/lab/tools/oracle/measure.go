package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// timing is the time for one object, in nanoseconds.
type timing struct {
	Validate int64 `json:"validate"`
	Create   int64 `json:"create"`
}

// measure creates the object of the input repeatedly. A refused object is
// an error: it would take another path through the validation.
func measure(in io.Reader, out io.Writer, times int) error {
	content, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	c, err := decode(content)
	if err != nil {
		return err
	}
	c.prepare()
	if errs := c.validate(); len(errs) > 0 {
		return fmt.Errorf("the object is refused: %w", errs.ToAggregate())
	}
	started := time.Now()
	for range times {
		c.validate()
	}
	validate := time.Since(started)

	started = time.Now()
	for range times {
		c, err := decode(content)
		if err != nil {
			return err
		}
		c.prepare()
		c.validate()
	}
	create := time.Since(started)
	return json.NewEncoder(out).Encode(timing{
		Validate: validate.Nanoseconds() / int64(times),
		Create:   create.Nanoseconds() / int64(times),
	})
}
