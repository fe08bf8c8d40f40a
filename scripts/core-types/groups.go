package main

import (
	"go/ast"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

type groupVersion struct{ group, version string }

// groupVersionOf reads a package's `const GroupName`, which every package of an API group declares for its registration. The
// version is the directory's name.
func groupVersionOf(pkg *loader.Package) (groupVersion, bool) {
	path := loader.NonVendorPath(pkg.PkgPath)
	pkg.NeedSyntax()
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				value, ok := spec.(*ast.ValueSpec)
				if !ok || len(value.Names) != 1 || value.Names[0].Name != "GroupName" || len(value.Values) != 1 {
					continue
				}
				if literal, ok := value.Values[0].(*ast.BasicLit); ok {
					if group, err := strconv.Unquote(literal.Value); err == nil {
						return groupVersion{group, path[strings.LastIndex(path, "/")+1:]}, true
					}
				}
			}
		}
	}
	return groupVersion{}, false
}
