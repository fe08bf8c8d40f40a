package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/webhook"
)

// A case: the markers of each package, by the package's directory, and their result.
type row struct {
	Name     string              `json:"name"`
	Packages map[string][]string `json:"packages"`
	Yaml     *string             `json:"yaml,omitempty"`
	Refused  bool                `json:"refused,omitempty"`
}

type capture struct{ bytes.Buffer }

func (c *capture) Open(_ *loader.Package, _ string) (io.WriteCloser, error) { return c, nil }
func (c *capture) Close() error                                             { return nil }

// webhookCases adds controller-gen's result to each case of a file: the text of manifests.yaml, or that it rejects the
// markers.
func webhookCases(file string) error {
	rows, err := read(file)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "webhook-cases-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := os.WriteFile(filepath.Join(scratch, "go.mod"), []byte("module m\n\ngo 1.26\n"), 0o644); err != nil {
		return err
	}
	for index, row := range rows {
		for name, markers := range row.Packages {
			directory := filepath.Join(scratch, caseName(index), name)
			if err := os.MkdirAll(directory, 0o755); err != nil {
				return err
			}
			text := "package " + name + "\n\n"
			for _, marker := range markers {
				text += "// " + marker + "\n"
			}
			if err := os.WriteFile(filepath.Join(directory, "webhooks.go"), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	var generator genall.Generator = webhook.Generator{}
	runtime, err := genall.Generators{&generator}.ForRoots(scratch + "/...")
	if err != nil {
		return err
	}
	for index := range rows {
		rows[index].Yaml, rows[index].Refused = nil, false
		if text, ok := generate(runtime, "m/"+caseName(index)+"/"); ok {
			rows[index].Yaml = &text
		} else {
			rows[index].Refused = true
		}
	}
	return write(file, rows)
}

func caseName(index int) string { return fmt.Sprintf("case%04d", index) }

// generate runs the generator on the packages of one case. A crash counts as a rejection.
func generate(runtime *genall.Runtime, prefix string) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	var out capture
	context := runtime.GenerationContext
	context.OutputRule = &out
	context.Roots = nil
	for _, root := range runtime.Roots {
		if strings.HasPrefix(root.PkgPath, prefix) {
			context.Roots = append(context.Roots, root)
		}
	}
	if err := (*runtime.Generators[0]).Generate(&context); err != nil {
		return "", false
	}
	return out.String(), !loader.PrintErrors(context.Roots)
}

func read(file string) ([]row, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []row
	decoder := json.NewDecoder(bytes.NewReader(text))
	for decoder.More() {
		var next row
		if err := decoder.Decode(&next); err != nil {
			return nil, err
		}
		rows = append(rows, next)
	}
	return rows, nil
}

func write(file string, rows []row) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, row := range rows {
		if err := encoder.Encode(row); err != nil {
			return err
		}
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}
