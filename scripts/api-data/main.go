// Command api-data extracts the data about built-in kinds that the embedded API server needs from Kubernetes' Go
// modules.
//
//	go run . -out ../../packages/apiserver/data
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("out", "", "directory for the data")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "api-data:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	if out == "" {
		return fmt.Errorf("-out is required")
	}
	types, kinds, err := collect()
	if err != nil {
		return err
	}
	return write(filepath.Join(out, "go-types.json"), map[string]any{"types": types, "kinds": kinds})
}

func write(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
