package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// encodeSchema writes a schema with its properties in source order and with short references: `Name` in the same package,
// `path.Name` in others.
func (x *extractor) encodeSchema(ident crd.TypeIdent, schema apiextensionsv1.JSONSchemaProps) (object, error) {
	content, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	if err := shortenRefs(tree); err != nil {
		return nil, err
	}
	var out object
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		if key != "properties" {
			out = append(out, member{key, text(tree[key])})
			continue
		}
		properties := tree[key].(map[string]any)
		var ordered object
		for _, name := range fieldOrder(x.parser.Types[ident], properties) {
			ordered = append(ordered, member{name, text(properties[name])})
		}
		out = append(out, member{key, ordered.String()})
	}
	return out, nil
}

// fieldOrder returns the names of properties in the order of the fields in the source.
func fieldOrder(info *markers.TypeInfo, properties map[string]any) (names []string) {
	if info != nil {
		for _, field := range info.Fields {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if _, ok := properties[name]; ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func shortenRefs(node any) error {
	switch node := node.(type) {
	case map[string]any:
		for key, value := range node {
			ref, isText := value.(string)
			if key != "$ref" || !isText {
				if err := shortenRefs(value); err != nil {
					return err
				}
				continue
			}
			name, ok := strings.CutPrefix(ref, "#/definitions/")
			if !ok {
				return fmt.Errorf("reference %q", ref)
			}
			if path, typeName, ok := strings.Cut(name, "~0"); ok {
				name = strings.ReplaceAll(path, "~1", "/") + "." + typeName
			}
			node[key] = name
		}
	case []any:
		for _, value := range node {
			if err := shortenRefs(value); err != nil {
				return err
			}
		}
	}
	return nil
}
