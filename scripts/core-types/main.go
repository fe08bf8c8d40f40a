// Command core-types extracts the data about the types of the Kubernetes API for the generator and the runtime: their
// schemas from controller-gen's parser, and additional data for their TypeScript interfaces.
//
//	go run . -out ../../data
//
// The types are those of -kubernetes; the tool itself is built against the version that controller-tools requires.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("out", "", "data directory; files go to core-types/<version>/<group>.json in it")
	version := flag.String("kubernetes", "v1.37.2", "Kubernetes release whose types are extracted")
	flattened := flag.String("flattened", "", "also write each type's flattened schema to this file")
	flag.Parse()
	if err := run(*out, *version, *flattened); err != nil {
		fmt.Fprintln(os.Stderr, "core-types:", err)
		os.Exit(1)
	}
}

func run(out, version, flattened string) error {
	if out == "" {
		return fmt.Errorf("-out is required")
	}
	if !strings.HasPrefix(version, "v1.") {
		return fmt.Errorf("-kubernetes %s: want a release such as v1.37.2", version)
	}
	scratch, err := os.MkdirTemp("", "core-types-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := prepareModule(scratch, version); err != nil {
		return err
	}
	served, err := readDiscovery(scratch, version)
	if err != nil {
		return err
	}
	files, err := extract(scratch, version, flattened, served)
	if err != nil {
		return err
	}
	// Remove files of groups that no longer exist.
	dir := filepath.Join(out, "core-types", version)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name+".json"), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
