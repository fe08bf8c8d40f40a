package translate

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// tsPackage is the TypeScript directory of one Go package.
type tsPackage struct {
	goPkg *loader.Package
	dir   string
	files map[string]*tsFile // by Go file name
	kinds bool
}

type tsFile struct {
	t       *Translator
	pkg     *tsPackage
	path    string // relative to the project
	ids     []ident
	taken   map[string]bool      // names in use: declarations and imports
	imports map[[2]string]string // module and name → name here
}

var (
	camel   = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	unclean = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

func kebab(s string) string {
	return strings.Trim(strings.ToLower(unclean.ReplaceAllString(camel.ReplaceAllString(s, "$1-$2"), "-")), "-")
}

// place determines the file of a type: one TypeScript directory per Go package, one file per Go file. Packages that the
// patterns name are in api/, all others in deps/, which isn't part of the generator's paths.
func (t *Translator) place(id ident, pkg *loader.Package, info *markers.TypeInfo) {
	p := t.packages[id.pkg]
	if p == nil {
		parent := id.pkg
		if path.Base(parent) == pkg.Name {
			parent = path.Dir(parent)
		}
		top := "deps"
		if t.roots[id.pkg] {
			top = "api"
		}
		p = &tsPackage{goPkg: pkg, files: map[string]*tsFile{}, dir: path.Join(top, kebab(path.Base(parent)), pkg.Name)}
		for _, other := range t.packages {
			if other.dir == p.dir {
				p.dir = path.Join(top, kebab(parent), pkg.Name)
				break
			}
		}
		t.packages[id.pkg] = p
	}
	goFile := filepath.Base(pkg.Fset.Position(info.RawSpec.Pos()).Filename)
	f := p.files[goFile]
	if f == nil {
		name := kebab(strings.TrimSuffix(goFile, ".go"))
		if name == "groupversion-info" || name == "doc" || name == "index" {
			name += "-types"
		}
		f = &tsFile{t: t, pkg: p, path: path.Join(p.dir, name+".ts"), taken: map[string]bool{}, imports: map[[2]string]string{}}
		p.files[goFile] = f
	}
	f.ids = append(f.ids, id)
	f.taken[typeName(id.name)] = true
	if t.kinds[id] {
		p.kinds = true
		f.taken[id.name+"List"] = true
	}
	t.where[id] = f.path
}

func (f *tsFile) local(id ident) string {
	target, ok := f.t.where[id]
	if !ok {
		f.t.note("reference to %s.%s, which is not there", id.pkg, id.name)
		return f.imported(scalarModule, "JSONValue")
	}
	if target == f.path {
		return typeName(id.name)
	}
	rel, _ := filepath.Rel(path.Dir(f.path), target)
	if !strings.HasPrefix(rel, ".") {
		rel = "./" + rel
	}
	return f.imported(rel, typeName(id.name))
}

// imported returns the name of a module's export in this file. Names that are taken get the directory's name as a prefix.
func (f *tsFile) imported(module, name string) string {
	key := [2]string{module, name}
	if known, ok := f.imports[key]; ok {
		return known
	}
	source := path.Base(path.Dir(module)) + "-" + path.Base(module)
	if strings.HasSuffix(module, ".ts") {
		source = path.Base(path.Dir(path.Join(path.Dir(f.path), module)))
	}
	prefix := ""
	for _, part := range strings.Split(kebab(source), "-") {
		prefix += strings.ToUpper(part[:min(1, len(part))]) + part[min(1, len(part)):]
	}
	local := name
	for f.taken[local] {
		local = prefix + local
	}
	f.taken[local] = true
	f.imports[key] = local
	return local
}

func (f *tsFile) shadowed(name string) bool { return f.taken[name] }

// text returns the whole file. The first of two passes finds all imports, the second uses their final names.
func (f *tsFile) text(packageMarkers []string, final bool) string {
	t := f.t
	body := ""
	slices.SortStableFunc(f.ids, func(a, b ident) int {
		x, _ := t.lookup(a)
		y, _ := t.lookup(b)
		return cmp.Compare(x.RawSpec.Pos(), y.RawSpec.Pos())
	})
	for pass := range 2 {
		body = ""
		t.counting = final && pass == 1
		for _, id := range f.ids {
			info, pkg := t.lookup(id)
			body += "\n" + t.declaration(f, id, pkg, info)
			if t.kinds[id] {
				if list, _ := t.lookup(ident{id.pkg, id.name + "List"}); list != nil {
					body += fmt.Sprintf("export type %sList = %s<%s>;\n", id.name, f.imported(scalarModule, "KubernetesList"), id.name)
				}
				gv := f.imported("./groupversion-info.ts", "GroupVersion")
				body += fmt.Sprintf("export const %s = %s.kind<%s>(%q);\n", id.name, gv, id.name, id.name)
			}
		}
	}
	t.counting = false
	modules := map[string][]string{}
	for key, local := range f.imports {
		name := key[1]
		if local != name {
			name += " as " + local
		}
		modules[key[0]] = append(modules[key[0]], name)
	}
	var b strings.Builder
	for _, m := range packageMarkers {
		b.WriteString("// " + m + "\n")
	}
	if len(packageMarkers) > 0 {
		b.WriteString("\n")
	}
	for _, module := range sortedKeys(modules) {
		names := modules[module]
		slices.Sort(names)
		keyword := "import type"
		if module == "./groupversion-info.ts" {
			keyword = "import"
		}
		fmt.Fprintf(&b, "%s { %s } from %q;\n", keyword, strings.Join(names, ", "), module)
	}
	return strings.TrimPrefix(b.String()+body, "\n")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// emit writes all files. Package markers stay in their file if it has imports to precede. Otherwise they go to
// groupversion-info.ts, or to doc.ts in packages without kinds.
func (t *Translator) emit() error {
	for _, goPath := range sortedKeys(t.packages) {
		p := t.packages[goPath]
		keep := t.keep(markers.DescribesPackage, false)
		var rest []string
		for _, syntax := range p.goPkg.Syntax {
			t.counting = true
			own := filter(t.commentsOf(syntax).pkg, keep)
			f := p.files[filepath.Base(p.goPkg.Fset.Position(syntax.Package).Filename)]
			if f == nil {
				rest = append(rest, own...)
				continue
			}
			f.text(nil, false)
			if len(f.imports) == 0 {
				rest, own = append(rest, own...), nil
			}
			if err := t.write(f.path, f.text(own, true)); err != nil {
				return err
			}
		}
		head := ""
		for _, m := range rest {
			head += "// " + m + "\n"
		}
		switch gv := t.parser.GroupVersions[p.goPkg]; {
		case p.kinds:
			head += fmt.Sprintf("import { groupVersion } from %q;\n\nexport const GroupVersion = groupVersion(%s, %s);\n",
				runtimeModule, strconv.Quote(gv.Group), strconv.Quote(gv.Version))
			if err := t.write(path.Join(p.dir, "groupversion-info.ts"), head); err != nil {
				return err
			}
		case head != "":
			if err := t.write(path.Join(p.dir, "doc.ts"), head+"\nexport {};\n"); err != nil {
				return err
			}
		}
	}
	if err := t.write("package.json", packageJSON); err != nil {
		return err
	}
	return t.write("tsconfig.json", tsconfigJSON)
}

const packageJSON = `{
  "name": "crd-parity",
  "version": "0.0.0",
  "private": true,
  "type": "module",
  "dependencies": { "@kubewright/runtime": "*" }
}
`

const tsconfigJSON = `{
  "compilerOptions": {
    "target": "ES2022",
    "lib": ["ES2022"],
    "module": "ESNext",
    "moduleResolution": "bundler",
    "types": [],
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true
  },
  "include": ["api", "deps"]
}
`
