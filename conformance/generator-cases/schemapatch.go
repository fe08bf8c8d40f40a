package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/schemapatcher"
)

// schemapatchCases patches the CRDs in manifests/ with the schemas of the types in this module's api/.
func schemapatchCases(directory string) error {
	for name, length := range map[string]*int{"expected": nil, "expected-short": new(20)} {
		out := filepath.Join(directory, name)
		if err := os.RemoveAll(out); err != nil {
			return err
		}
		var generator genall.Generator = schemapatcher.Generator{
			ManifestsPath: filepath.Join(directory, "manifests"),
			MaxDescLen:    length,
		}
		runtime, err := genall.Generators{&generator}.ForRoots("./api/...")
		if err != nil {
			return err
		}
		context := runtime.GenerationContext
		context.OutputRule = genall.OutputToDirectory(out)
		if err := generator.Generate(&context); err != nil {
			return err
		}
		if loader.PrintErrors(context.Roots, packages.TypeError) {
			return fmt.Errorf("the types of the cases are wrong")
		}
	}
	return nil
}
