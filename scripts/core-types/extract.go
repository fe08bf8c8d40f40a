package main

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

const (
	apiPrefix     = "k8s.io/api/"
	apimachinery  = "k8s.io/apimachinery/"
	metav1Path    = "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiextensions = "k8s.io/apiextensions-apiserver/"
)

type extractor struct {
	// parser has the schemas of controller-gen; plain has the same without its fixed schemas for known types.
	parser, plain *crd.Parser
	loaded        map[string]*loader.Package
	served        discovery
	problems      map[crd.TypeIdent]string
}

// extract returns the content of the data files by group; flattened is the file for writeFlattened, or empty.
func extract(dir, version, flattened string, served discovery) (map[string][]byte, error) {
	registry := &markers.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		return nil, err
	}
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: dir}, patterns...)
	if err != nil {
		return nil, err
	}
	x := &extractor{loaded: map[string]*loader.Package{}, served: served, problems: map[crd.TypeIdent]string{}}
	newParser := func() *crd.Parser {
		return &crd.Parser{
			Collector: &markers.Collector{Registry: registry},
			Checker:   &loader.TypeChecker{NodeFilters: []loader.NodeFilter{crd.Generator{}.CheckFilter()}},
			// The data contains `number`; the generator decides whether users may have it.
			AllowDangerousTypes: true,
		}
	}
	x.parser, x.plain = newParser(), newParser()
	crd.AddKnownTypes(x.parser)
	for _, root := range roots {
		x.index(root)
		x.parser.NeedPackage(root)
	}
	// The parser then also contains the types that these types refer to.
	for _, root := range roots {
		for _, ident := range x.typesOf(root) {
			x.parser.NeedSchemaFor(ident)
		}
	}
	if err := x.collectProblems(); err != nil {
		return nil, err
	}
	files, err := x.files(version)
	if err != nil || flattened == "" {
		return files, err
	}
	return files, x.writeFlattened(flattened)
}

func (x *extractor) index(pkg *loader.Package) {
	path := loader.NonVendorPath(pkg.PkgPath)
	if x.loaded[path] != nil {
		return
	}
	x.loaded[path] = pkg
	for _, imported := range pkg.Imports() {
		x.index(imported)
	}
}

// typesOf returns a package's exported types, except Go interfaces, which have no JSON form.
func (x *extractor) typesOf(pkg *loader.Package) (idents []crd.TypeIdent) {
	for ident, info := range x.parser.Types {
		if _, isInterface := info.RawSpec.Type.(*ast.InterfaceType); ident.Package == pkg && ast.IsExported(ident.Name) && !isInterface {
			idents = append(idents, ident)
		}
	}
	slices.SortFunc(idents, func(a, b crd.TypeIdent) int { return strings.Compare(a.Name, b.Name) })
	return idents
}

// collectProblems attaches the parser's errors to the types in whose declarations they are: controller-gen would reject an
// API that refers to such a type. Any other error means that the extraction failed.
func (x *extractor) collectProblems() error {
	for path, pkg := range x.loaded {
		for _, problem := range pkg.Errors {
			// The checker loads only the imports that types need, so other code has type errors, which controller-gen ignores too.
			if problem.Kind == packages.TypeError {
				continue
			}
			ident, ok := x.declarationAt(pkg, problem.Pos)
			if !ok {
				return fmt.Errorf("%s: %s: %s", path, problem.Pos, problem.Msg)
			}
			if x.problems[ident] == "" {
				x.problems[ident] = problem.Msg
			}
		}
	}
	return nil
}

// declarationAt finds the type declaration around a position of the form file:line:column.
func (x *extractor) declarationAt(pkg *loader.Package, position string) (crd.TypeIdent, bool) {
	parts := strings.Split(position, ":")
	var line int
	if len(parts) < 2 {
		return crd.TypeIdent{}, false
	}
	if _, err := fmt.Sscan(parts[1], &line); err != nil {
		return crd.TypeIdent{}, false
	}
	for ident, info := range x.parser.Types {
		if ident.Package != pkg {
			continue
		}
		start, end := pkg.Fset.Position(info.RawSpec.Pos()), pkg.Fset.Position(info.RawSpec.End())
		if start.Filename == parts[0] && start.Line <= line && line <= end.Line {
			return ident, true
		}
	}
	return crd.TypeIdent{}, false
}

// fileOf returns the data file of a package: that of its group's directory, or meta if it isn't in a group.
func fileOf(path string) (string, bool) {
	switch {
	case strings.HasPrefix(path, apiPrefix):
		dir, _, ok := strings.Cut(strings.TrimPrefix(path, apiPrefix), "/")
		return dir, ok
	case strings.HasPrefix(path, apiextensions):
		return "apiextensions", true
	case strings.HasPrefix(path, apimachinery):
		return "meta", true
	}
	return "", false
}
