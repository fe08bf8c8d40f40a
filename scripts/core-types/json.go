package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	key   string
	value string // encoded
}

func (o object) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(text(m.key) + ":" + m.value)
	}
	b.WriteByte('}')
	return b.String()
}

// text encodes a value without HTML escapes. All values that it gets can be encoded.
func text(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
