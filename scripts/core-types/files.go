package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"maps"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// typeData contains the data of one type.
type typeData struct {
	schema, about object
}

// packageData is one Go package; group and version are set if it belongs to an API group.
type packageData struct {
	group, version string
	isGroup        bool
	types          map[string]typeData
}

func (x *extractor) files(kubernetes string) (map[string][]byte, error) {
	grouped := map[string]map[string]*packageData{}
	for ident := range x.parser.Schemata {
		if !ast.IsExported(ident.Name) {
			continue
		}
		path := loader.NonVendorPath(ident.Package.PkgPath)
		file, ok := fileOf(path)
		if !ok {
			return nil, fmt.Errorf("%s.%s is reached and belongs to no known module", path, ident.Name)
		}
		if grouped[file] == nil {
			grouped[file] = map[string]*packageData{}
		}
		data := grouped[file][path]
		if data == nil {
			data = x.packageData(path)
			grouped[file][path] = data
		}
		entry, err := x.typeData(ident, data)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", path, ident.Name, err)
		}
		data.types[ident.Name] = entry
	}
	files := map[string][]byte{}
	for name, pkgs := range grouped {
		files[name] = encodeFile(kubernetes, pkgs)
	}
	return files, nil
}

func (x *extractor) packageData(path string) *packageData {
	data := &packageData{types: map[string]typeData{}}
	if gv, ok := groupVersionOf(x.loaded[path]); ok {
		data.group, data.version, data.isGroup = gv.group, gv.version, true
	}
	return data
}

// encodeFile writes one type per line, so that changes of the data are readable as a diff.
func encodeFile(kubernetes string, pkgs map[string]*packageData) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"kubernetes\":%s,\"packages\":{", text(kubernetes))
	for i, path := range slices.Sorted(maps.Keys(pkgs)) {
		pkg := pkgs[path]
		comma(&b, i)
		fmt.Fprintf(&b, "\n%s:{", text(path))
		if pkg.isGroup {
			fmt.Fprintf(&b, "\"group\":%s,\"version\":%s,", text(pkg.group), text(pkg.version))
		}
		names := slices.Sorted(maps.Keys(pkg.types))
		b.WriteString("\"schemas\":{")
		for j, name := range names {
			comma(&b, j)
			fmt.Fprintf(&b, "\n%s:%s", text(name), pkg.types[name].schema)
		}
		b.WriteString("},\n\"about\":{")
		written := 0
		for _, name := range names {
			if about := pkg.types[name].about; len(about) > 0 {
				comma(&b, written)
				fmt.Fprintf(&b, "\n%s:%s", text(name), about)
				written++
			}
		}
		b.WriteString("}}")
	}
	b.WriteString("}}\n")
	return b.Bytes()
}

func comma(b *bytes.Buffer, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

func (x *extractor) typeData(ident crd.TypeIdent, pkg *packageData) (typeData, error) {
	schema := x.parser.Schemata[ident]
	encoded, err := x.encodeSchema(ident, schema)
	if err != nil {
		return typeData{}, err
	}
	about, err := x.about(ident, pkg)
	return typeData{encoded, about}, err
}
