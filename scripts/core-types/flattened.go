package main

import (
	"encoding/json"
	"os"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// writeFlattened writes the schema that controller-gen puts into a CRD for each type, by package and name. Tests compare it
// with the result of our own flattener.
func (x *extractor) writeFlattened(file string) error {
	out := map[string]map[string]any{}
	for path, pkg := range x.loaded {
		for _, ident := range x.typesOf(pkg) {
			if _, known := x.parser.Schemata[ident]; !known {
				continue
			}
			x.parser.NeedFlattenedSchemaFor(ident)
			if out[path] == nil {
				out[loader.NonVendorPath(path)] = map[string]any{}
			}
			out[path][ident.Name] = x.parser.FlattenedSchemata[ident]
		}
	}
	content, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}
