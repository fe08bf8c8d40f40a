// Command internaltypes extracts the structs of the internal versions of kinds: messages of kube-apiserver show their values.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/flowcontrol"
	"k8s.io/kubernetes/pkg/apis/networking"
	resourceapi "k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/apis/storage"
)

// roots are the types that messages show.
var roots = []any{
	core.PersistentVolumeClaimSpec{},
	core.PersistentVolumeSource{},
	core.PodTemplateSpec{},
	batch.PodFailurePolicy{},
	batch.SuccessPolicy{},
	flowcontrol.FlowSchemaSpec{},
	flowcontrol.PriorityLevelConfigurationSpec{},
	networking.ParentReference{},
	resourceapi.ResourceClaimSpec{},
	resourceapi.ResourceClaimTemplateSpec{},
	resourceapi.ResourceSliceSpec{},
	resourceapi.AllocationResult{},
	storage.CSINodeDriver{},
	storage.VolumeAttachmentSpec{},
}

// special are types that write their own JSON.
var special = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():  "Quantity",
	reflect.TypeFor[intstr.IntOrString](): "IntOrString",
	reflect.TypeFor[metav1.Time]():        "Time",
	reflect.TypeFor[metav1.ObjectMeta]():  "ObjectMeta",
}

// fields are pairs of a name and a type, in the order of the struct.
type fields [][2]string

func main() {
	out := flag.String("out", "", "directory for the data")
	flag.Parse()
	types := map[string]fields{}
	for _, root := range roots {
		describe(reflect.TypeOf(root), types)
	}
	text, err := json.Marshal(types)
	if err == nil {
		err = os.WriteFile(filepath.Join(*out, "internal-types.json"), append(text, '\n'), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "internaltypes:", err)
		os.Exit(1)
	}
}

// describe returns the text of a type and adds the structs that it consists of.
func describe(t reflect.Type, types map[string]fields) string {
	if name, ok := special[t]; ok {
		return name
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + describe(t.Elem(), types)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + describe(t.Elem(), types)
	case reflect.Map:
		return "{}" + describe(t.Elem(), types)
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Struct:
		return describeStruct(t, types)
	default:
		return "number"
	}
}

func describeStruct(t reflect.Type, types map[string]fields) string {
	// Structs of versions have the same JSON everywhere.
	if t.NumField() > 0 && t.Field(0).Tag.Get("json") != "" {
		return "versioned"
	}
	path := strings.Split(t.PkgPath(), "/")
	name := path[len(path)-1] + "." + t.Name()
	if _, ok := types[name]; !ok {
		types[name] = nil
		types[name] = fieldsOf(t, types)
	}
	return name
}

// fieldsOf lists the fields of a struct and those of the structs that it embeds.
func fieldsOf(t reflect.Type, types map[string]fields) fields {
	list := fields{}
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous && special[field.Type] == "" {
			list = append(list, fieldsOf(field.Type, types)...)
			continue
		}
		list = append(list, [2]string{field.Name, describe(field.Type, types)})
	}
	return list
}
