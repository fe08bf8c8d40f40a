package main

import (
	"reflect"
	"sort"
	"strconv"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// goType is the Go type of an object: its name in error messages, and its fields.
type goType struct {
	// Name is package and name, as Go's error messages print them.
	Name   string  `json:"name"`
	Fields []field `json:"fields"`
}

// field is a field of a struct as encoding/json and the protobuf encoding of Kubernetes see it.
type field struct {
	// JSON is the name in JSON. It is empty for embedded structs, whose fields belong to the struct around them.
	JSON string `json:"json,omitempty"`
	// Go is the type: string, bool, int32, int64, float64, bytes, []T, map[K]T, *T, or the key of another struct.
	// A named type of one of these is written "name=type".
	Go string `json:"go"`
	// Omit is "empty" for omitempty and "zero" for omitzero.
	Omit string `json:"omit,omitempty"`
	// Proto is the number of the field in protobuf; 0 if it isn't encoded.
	Proto int `json:"proto,omitempty"`
	// Wire is the encoding in protobuf, if the type doesn't determine it.
	Wire string `json:"wire,omitempty"`
}

// kind names the Go type of a kind.
type kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
}

// collector finds all structs that the kinds reach.
type collector struct {
	types map[string]goType
}

// special are types that write their own JSON. Their form is part of the codec.
var special = map[string]bool{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                             true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                                        true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                                         true,
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                                         true,
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                                         true,
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                                       true,
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                                          true,
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         true,
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       true,
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        true,
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": true,
}

func collect() (map[string]goType, []kind, error) {
	s := scheme.Scheme
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(s); err != nil {
			return nil, nil, err
		}
	}
	c := &collector{types: map[string]goType{}}
	kinds := []kind{}
	for gvk, t := range s.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal {
			continue
		}
		kinds = append(kinds, kind{gvk.Group, gvk.Version, gvk.Kind, c.ref(t)})
	}
	kinds = append(kinds, kind{"apidiscovery.k8s.io", "v2", "APIGroupDiscovery", c.ref(reflect.TypeOf(apidiscovery.APIGroupDiscovery{}))})
	kinds = append(kinds, kind{"apidiscovery.k8s.io", "v2", "APIGroupDiscoveryList", c.ref(reflect.TypeOf(apidiscovery.APIGroupDiscoveryList{}))})
	kinds = append(kinds, kind{"meta.k8s.io", "v1", "Table", c.ref(reflect.TypeOf(metav1.Table{}))})
	kinds = append(kinds, kind{"meta.k8s.io", "v1", "PartialObjectMetadata", c.ref(reflect.TypeOf(metav1.PartialObjectMetadata{}))})
	kinds = append(kinds, kind{"meta.k8s.io", "v1", "PartialObjectMetadataList", c.ref(reflect.TypeOf(metav1.PartialObjectMetadataList{}))})
	kinds = append(kinds, kind{"meta.k8s.io", "v1beta1", "PartialObjectMetadata", c.ref(reflect.TypeOf(metav1beta1.PartialObjectMetadata{}))})
	kinds = append(kinds, kind{"meta.k8s.io", "v1beta1", "PartialObjectMetadataList", c.ref(reflect.TypeOf(metav1beta1.PartialObjectMetadataList{}))})
	sort.Slice(kinds, func(i, j int) bool {
		a, b := kinds[i], kinds[j]
		return a.Group+"\x00"+a.Version+"\x00"+a.Kind < b.Group+"\x00"+b.Version+"\x00"+b.Kind
	})
	return c.types, kinds, nil
}

// key is the name of a type in the data: the API group's part of the package path, and the name.
func key(t reflect.Type) string {
	path := t.PkgPath()
	for _, prefix := range []string{"k8s.io/api/", "k8s.io/apimachinery/pkg/apis/", "k8s.io/apimachinery/pkg/", "k8s.io/apiextensions-apiserver/pkg/apis/", "k8s.io/kube-aggregator/pkg/apis/"} {
		path = strings.TrimPrefix(path, prefix)
	}
	return path + "." + t.Name()
}

// ref names a type, and collects the structs that it reaches.
func (c *collector) ref(t reflect.Type) string {
	full := t.PkgPath() + "." + t.Name()
	switch {
	case special[full]:
		return t.Name()
	case t.Kind() == reflect.Struct:
		c.add(t)
		return key(t)
	}
	form := c.form(t)
	if t.PkgPath() != "" {
		return t.String() + "=" + form
	}
	return form
}

func (c *collector) form(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + c.ref(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + c.ref(t.Elem())
	case reflect.Map:
		return "map[" + t.Key().String() + "]" + c.ref(t.Elem())
	default:
		return t.Kind().String()
	}
}

func (c *collector) add(t reflect.Type) {
	name := key(t)
	if _, known := c.types[name]; known {
		return
	}
	c.types[name] = goType{} // Types may contain themselves.
	fields := []field{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := strings.Split(f.Tag.Get("json"), ",")
		if tag[0] == "-" || !f.IsExported() {
			continue
		}
		made := field{JSON: tag[0], Go: c.ref(f.Type)}
		for _, option := range tag[1:] {
			switch option {
			case "omitempty":
				made.Omit = "empty"
			case "omitzero":
				made.Omit = "zero"
			}
		}
		if made.JSON == "" && !f.Anonymous {
			made.JSON = f.Name
		}
		if proto := strings.Split(f.Tag.Get("protobuf"), ","); len(proto) > 1 {
			made.Proto, _ = strconv.Atoi(proto[1])
			made.Wire = proto[0]
		}
		fields = append(fields, made)
	}
	c.types[name] = goType{Name: t.String(), Fields: fields}
}
