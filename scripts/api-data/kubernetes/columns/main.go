// Command columns extracts the columns of tables from the printers of kube-apiserver.
//
//	go run ./columns -out ../../../packages/apiserver/data
//
// The directory has resources.json, which names the kinds.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"

	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration"
	apiservice "k8s.io/kube-aggregator/pkg/registry/apiservice/etcd"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apiserverinternal/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
	printers "k8s.io/kubernetes/pkg/printers/internalversion"
)

func main() {
	out := flag.String("out", "", "directory for the data")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "columns:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	if out == "" {
		return errors.New("-out is required")
	}
	served, err := servedKinds(filepath.Join(out, "resources.json"))
	if err != nil {
		return err
	}
	c := &collector{served: served, columns: map[string][]metav1.TableColumnDefinition{}}
	printers.AddHandlers(c)
	if c.err != nil {
		return c.err
	}
	// API services have a table of their own, which is computed from objects.
	table, err := (&apiservice.REST{}).ConvertToTable(nil, &apiregistration.APIService{}, nil)
	if err != nil {
		return err
	}
	c.columns["apiregistration.k8s.io/APIService"] = table.ColumnDefinitions

	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(c.compact()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "columns.json"), buffer.Bytes(), 0o644)
}

// servedKinds reads the kinds that the server has, each with its group.
func servedKinds(path string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var groups []struct {
		Name     string
		Versions []struct {
			Resources []struct{ Group, Kind string }
		}
	}
	if err := json.Unmarshal(text, &groups); err != nil {
		return nil, err
	}
	served := map[string]bool{}
	for _, group := range groups {
		for _, version := range group.Versions {
			for _, resource := range version.Resources {
				name := group.Name
				if resource.Group != "" {
					name = resource.Group
				}
				served[name+"/"+resource.Kind] = true
			}
		}
	}
	return served, nil
}

// collector receives the printers as kube-apiserver's registry of tables does.
type collector struct {
	served  map[string]bool
	columns map[string][]metav1.TableColumnDefinition
	err     error
}

func (c *collector) TableHandler(columns []metav1.TableColumnDefinition, print any) error {
	object := reflect.New(reflect.TypeOf(print).In(0).Elem()).Interface().(runtime.Object)
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(object)
	if runtime.IsNotRegisteredError(err) {
		// Groups without a version that is on by default aren't installed above.
		return nil
	}
	if err != nil {
		c.err = errors.Join(c.err, err)
		return err
	}
	if name := kinds[0].Group + "/" + kinds[0].Kind; c.served[name] {
		c.columns[name] = columns
	}
	return nil
}

// data is the content of the file: columns by group and kind, and the descriptions that they share.
type data struct {
	Descriptions []string         `json:"descriptions"`
	Columns      map[string][]any `json:"columns"`
}

// compact writes a column as a list: name, type, format, priority and the index of its description.
func (c *collector) compact() data {
	result := data{Descriptions: []string{}, Columns: map[string][]any{}}
	indexes := map[string]int{}
	names := make([]string, 0, len(c.columns))
	for name := range c.columns {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, column := range c.columns[name] {
			index, known := indexes[column.Description]
			if !known {
				index = len(result.Descriptions)
				indexes[column.Description] = index
				result.Descriptions = append(result.Descriptions, column.Description)
			}
			result.Columns[name] = append(result.Columns[name], []any{column.Name, column.Type, column.Format, column.Priority, index})
		}
	}
	return result
}
