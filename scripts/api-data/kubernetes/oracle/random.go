package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// random creates an object of a kind whose fields have random values.
func (r request) random() (any, error) {
	kind := r.gvk()
	object, err := scheme.New(*kind)
	if err != nil {
		return nil, err
	}
	f := filler{rand.New(rand.NewSource(r.Seed)), r.Values}
	f.fill(reflect.ValueOf(object).Elem(), 0)
	object.GetObjectKind().SetGroupVersionKind(*kind)
	if meta, ok := object.(metav1.Object); ok {
		meta.SetGenerateName("")
		meta.SetSelfLink("")
		meta.SetManagedFields(nil)
	}
	result := outcome{Object: object}
	var buffer bytes.Buffer
	if err := proto.Encode(object, &buffer); err != nil {
		return nil, err
	}
	result.Proto = base64.StdEncoding.EncodeToString(buffer.Bytes())
	result.follow(object.DeepCopyObject(), *kind)
	return result, nil
}

type filler struct {
	*rand.Rand
	values map[string][]string
}

var (
	words      = []string{"", "a", "b-c", "x.example.com/y", "nginx:1.2", "nginx", "10.0.0.1", "ümlaut <&>"}
	quantities = []string{"0", "1", "100m", "1.5", "1Gi", "1024Mi", "2000", "1e3", "0.5Gi", "3k", "12E"}
	start      = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
)

func (f filler) fill(v reflect.Value, depth int) {
	switch special := v.Addr().Interface().(type) {
	case *metav1.TypeMeta:
		return
	case *metav1.Time:
		if f.Intn(3) > 0 {
			*special = metav1.NewTime(start.Add(time.Duration(f.Intn(1e6)) * time.Minute))
		}
		return
	case *metav1.MicroTime:
		if f.Intn(3) > 0 {
			*special = metav1.NewMicroTime(start.Add(time.Duration(f.Int63n(1e14)) * time.Microsecond))
		}
		return
	case *metav1.Duration:
		special.Duration = time.Duration(f.Intn(1e6)) * time.Millisecond
		return
	case *resource.Quantity:
		*special = resource.MustParse(quantities[f.Intn(len(quantities))])
		return
	case *intstr.IntOrString:
		*special = intstr.FromInt32(int32(f.Intn(100)))
		if f.Intn(2) == 0 {
			*special = intstr.FromString(fmt.Sprintf("%d%%", f.Intn(100)))
		}
		return
	case *runtime.RawExtension:
		special.Raw = []byte(`{"a":1,"b":{"c":["<"]}}`)
		return
	case *metav1.FieldsV1:
		special.Raw = []byte(`{"f:a":{}}`)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i), depth+1)
			}
		}
	case reflect.Pointer:
		if f.some(depth) {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
			// No JSON makes a pointer to a zero time.
			if time, ok := v.Interface().(interface{ IsZero() bool }); ok && time.IsZero() {
				v.SetZero()
			}
		}
	case reflect.Slice:
		if !f.some(depth) {
			return
		}
		n := f.Intn(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			f.fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		if !f.some(depth) {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for i := range f.Intn(3) {
			key := reflect.New(v.Type().Key()).Elem()
			key.SetString(fmt.Sprintf("k%d", i))
			if known := f.values[v.Type().Key().String()]; len(known) > 0 {
				key.SetString(known[f.Intn(len(known))])
			}
			value := reflect.New(v.Type().Elem()).Elem()
			f.fill(value, depth+1)
			v.SetMapIndex(key, value)
		}
	case reflect.String:
		if known := f.values[v.Type().String()]; len(known) > 0 {
			if f.Intn(4) > 0 {
				v.SetString(known[f.Intn(len(known))])
			}
			return
		}
		v.SetString(words[f.Intn(len(words))])
	case reflect.Bool:
		v.SetBool(f.Intn(2) == 0)
	case reflect.Int32, reflect.Int64:
		if f.Intn(3) > 0 {
			v.SetInt(int64(f.Intn(1000)))
		}
	case reflect.Uint8:
		v.SetUint(uint64(f.Intn(256)))
	case reflect.Float64:
		v.SetFloat(float64(f.Intn(100)) / 4)
	default:
		panic(v.Type().String())
	}
}

// some decides whether an optional value is there: rarely deep down, because objects would be huge.
func (f filler) some(depth int) bool {
	return f.Intn(10) < 6-depth/3
}
