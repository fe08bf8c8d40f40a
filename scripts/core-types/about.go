package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// about collects the facts about a type that its schema doesn't contain.
func (x *extractor) about(ident crd.TypeIdent, pkg *packageData) (about object, err error) {
	info := x.parser.Types[ident]
	if info == nil {
		// Quantities and int-or-strings, whose packages the parser doesn't read.
		return nil, nil
	}
	switch embedded := x.embedded(ident, info); {
	case embedded["TypeMeta"] && embedded["ObjectMeta"]:
		kind := "{}"
		if found := x.served.find(pkg.group, pkg.version, ident.Name); found != nil && pkg.isGroup {
			kind = text(found)
		}
		about = append(about, member{"kind", kind})
	case embedded["TypeMeta"] && embedded["ListMeta"]:
		if item := x.itemOf(ident, info); item != "" {
			about = append(about, member{"list", text(item)})
		}
	}
	if values := constantsOf(ident); len(values) > 0 {
		about = append(about, member{"values", text(values)})
	}
	if marshals(ident) {
		about = append(about, member{"marshals", "true"})
	}
	if ident.Name == "ObjectMeta" {
		x.plain.NeedSchemaFor(ident)
		shape, err := x.encodeSchema(ident, x.plain.Schemata[ident])
		if err != nil {
			return nil, err
		}
		about = append(about, member{"shape", shape.String()})
	}
	if info.Doc != "" && x.parser.Schemata[ident].Description == "" {
		about = append(about, member{"doc", text(info.Doc)})
	}
	if problem := x.problems[ident]; problem != "" {
		about = append(about, member{"problem", text(problem)})
	}
	return about, nil
}

// embedded returns which types of meta/v1 a struct embeds, or has as its metadata.
func (x *extractor) embedded(ident crd.TypeIdent, info *markers.TypeInfo) map[string]bool {
	found := map[string]bool{}
	for _, field := range info.Fields {
		if field.Name == "" {
			path, name := namedType(ident.Package.TypesInfo.TypeOf(field.RawField.Type))
			if path == metav1Path {
				found[name] = true
			}
		}
	}
	return found
}

// itemOf returns the name of the objects in a list of this package.
func (x *extractor) itemOf(ident crd.TypeIdent, info *markers.TypeInfo) string {
	for _, field := range info.Fields {
		items, ok := ident.Package.TypesInfo.TypeOf(field.RawField.Type).(*types.Slice)
		if field.Name != "Items" || !ok {
			continue
		}
		if path, name := namedType(items.Elem()); path == loader.NonVendorPath(ident.Package.PkgPath) {
			return name
		}
	}
	return ""
}

func namedType(t types.Type) (path, name string) {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return loader.NonVendorPath(named.Obj().Pkg().Path()), named.Obj().Name()
	}
	return "", ""
}

// constantsOf returns the values of the package's exported constants of a string type, in source order.
func constantsOf(ident crd.TypeIdent) (values []string) {
	type found struct {
		value string
		pos   token.Pos
	}
	var all []found
	scope := ident.Package.Types.Scope()
	for _, name := range scope.Names() {
		object, ok := scope.Lookup(name).(*types.Const)
		if !ok || !ast.IsExported(name) || object.Val().Kind() != constant.String {
			continue
		}
		if path, typeName := namedType(object.Type()); path == loader.NonVendorPath(ident.Package.PkgPath) && typeName == ident.Name {
			all = append(all, found{constant.StringVal(object.Val()), object.Pos()})
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		pa, pb := ident.Package.Fset.Position(a.pos), ident.Package.Fset.Position(b.pos)
		if c := strings.Compare(pa.Filename, pb.Filename); c != 0 {
			return c
		}
		return pa.Offset - pb.Offset
	})
	for _, c := range all {
		if !slices.Contains(values, c.value) {
			values = append(values, c.value)
		}
	}
	return values
}

// marshals returns whether a type has its own JSON marshaler, so that its fields don't determine its JSON form.
func marshals(ident crd.TypeIdent) bool {
	object := ident.Package.Types.Scope().Lookup(ident.Name)
	if object == nil {
		return false
	}
	for _, method := range []string{"MarshalJSON", "MarshalText"} {
		if found, _, _ := types.LookupFieldOrMethod(types.NewPointer(object.Type()), true, ident.Package.Types, method); found != nil {
			return true
		}
	}
	return false
}
