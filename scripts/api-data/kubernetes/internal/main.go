// Command internal extracts the internal types that kube-apiserver prints in messages, with the fields of v1 that their fields
// are converted from.
//
//	go run ./internal -out ../../../packages/apiserver/data
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/flowcontrol"
	"k8s.io/kubernetes/pkg/apis/networking"
	"k8s.io/kubernetes/pkg/apis/policy"
	resourceapi "k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/apis/storage"
)

// pairs are the internal types that messages contain, with their counterparts in v1.
var pairs = [][2]any{
	{core.PodTemplateSpec{}, corev1.PodTemplateSpec{}},
	{core.EphemeralContainer{}, corev1.EphemeralContainer{}},
	{core.PersistentVolumeClaim{}, corev1.PersistentVolumeClaim{}},
	{core.PersistentVolumeClaimSpec{}, corev1.PersistentVolumeClaimSpec{}},
	{core.PersistentVolumeSource{}, corev1.PersistentVolumeSource{}},
	{core.VolumeNodeAffinity{}, corev1.VolumeNodeAffinity{}},
	{core.ResourceQuotaSpec{}, corev1.ResourceQuotaSpec{}},
	{batch.PodFailurePolicy{}, batchv1.PodFailurePolicy{}},
	{batch.SuccessPolicy{}, batchv1.SuccessPolicy{}},
	{batch.UncountedTerminatedPods{}, batchv1.UncountedTerminatedPods{}},
	{policy.PodDisruptionBudgetSpec{}, policyv1.PodDisruptionBudgetSpec{}},
	{flowcontrol.FlowSchemaSpec{}, flowcontrolv1.FlowSchemaSpec{}},
	{flowcontrol.PriorityLevelConfigurationSpec{}, flowcontrolv1.PriorityLevelConfigurationSpec{}},
	{networking.ParentReference{}, networkingv1.ParentReference{}},
	{resourceapi.ResourceClaimSpec{}, resourcev1.ResourceClaimSpec{}},
	{resourceapi.ResourceClaimTemplateSpec{}, resourcev1.ResourceClaimTemplateSpec{}},
	{resourceapi.ResourceSliceSpec{}, resourcev1.ResourceSliceSpec{}},
	{resourceapi.AllocationResult{}, resourcev1.AllocationResult{}},
	{storage.CSINodeDriver{}, storagev1.CSINodeDriver{}},
	{storage.VolumeAttachmentSpec{}, storagev1.VolumeAttachmentSpec{}},
}

// field is a field of an internal struct, in the order of encoding/json.
type field struct {
	// JSON is the name in the JSON of the internal type.
	JSON string `json:"json"`
	// From is the name in the JSON of v1: "metadata." and a name for embedded metadata. It is empty for fields that are
	// converted by rules of their own.
	From string `json:"from,omitempty"`
	// Go is the type: string, bool, number, value (the same as in v1), []T, map[]T, *T, or the name of another struct.
	Go string `json:"go"`
	// Omit is true if the field has omitempty.
	Omit bool `json:"omit,omitempty"`
}

type collector map[string][]field

func main() {
	out := flag.String("out", "", "directory for the data")
	flag.Parse()
	c := collector{}
	for _, pair := range pairs {
		c.add(reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1]))
	}
	text, err := json.Marshal(c)
	if err == nil {
		err = os.WriteFile(filepath.Join(*out, "internal-types.json"), append(text, '\n'), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "internal:", err)
		os.Exit(1)
	}
}

func key(t reflect.Type) string {
	return filepath.Base(t.PkgPath()) + "." + t.Name()
}

// plain are types that have the same JSON in all versions.
var plain = map[reflect.Type]bool{
	reflect.TypeOf(metav1.Time{}):          true,
	reflect.TypeOf(resource.Quantity{}):    true,
	reflect.TypeOf(intstr.IntOrString{}):   true,
	reflect.TypeOf(runtime.RawExtension{}): true,
}

// ref names a type, and collects the structs that it reaches.
func (c collector) ref(internal, v1 reflect.Type) string {
	if plain[internal] {
		return "value"
	}
	if v1.Kind() == reflect.Pointer {
		v1 = v1.Elem()
	}
	switch internal.Kind() {
	case reflect.Pointer:
		return "*" + c.ref(internal.Elem(), v1)
	case reflect.Slice:
		return "[]" + c.ref(internal.Elem(), v1.Elem())
	case reflect.Map:
		return "map[]" + c.ref(internal.Elem(), v1.Elem())
	case reflect.Struct:
		c.add(internal, v1)
		return key(internal)
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32, reflect.Int64, reflect.Float64:
		return "number"
	default:
		panic(internal.String())
	}
}

// names lists the fields of a v1 struct by their Go names, those of embedded structs included.
func names(v1 reflect.Type, into map[string]reflect.StructField) map[string]reflect.StructField {
	for i := range v1.NumField() {
		f := v1.Field(i)
		if f.Anonymous && strings.Split(f.Tag.Get("json"), ",")[0] == "" {
			names(f.Type, into)
			continue
		}
		into[f.Name] = f
	}
	return into
}

func (c collector) add(internal, v1 reflect.Type) {
	name := key(internal)
	if _, known := c[name]; known {
		return
	}
	c[name] = nil // Types may contain themselves.
	c[name] = c.fields(internal, names(v1, map[string]reflect.StructField{}))
}

func (c collector) fields(internal reflect.Type, v1 map[string]reflect.StructField) []field {
	fields := []field{}
	for i := range internal.NumField() {
		f := internal.Field(i)
		tag := strings.Split(f.Tag.Get("json"), ",")
		if tag[0] == "-" || !f.IsExported() {
			continue
		}
		if f.Anonymous && tag[0] == "" {
			embedded := c.fields(f.Type, v1)
			if meta, known := v1[f.Name]; known {
				embedded = c.fields(f.Type, names(meta.Type, map[string]reflect.StructField{}))
				for i := range embedded {
					embedded[i].From = "metadata." + embedded[i].From
				}
			}
			fields = append(fields, embedded...)
			continue
		}
		made := field{JSON: tag[0], Omit: strings.Contains(f.Tag.Get("json"), "omitempty")}
		if made.JSON == "" {
			made.JSON = f.Name
		}
		if from, known := v1[f.Name]; known {
			made.From = strings.Split(from.Tag.Get("json"), ",")[0]
			made.Go = c.ref(f.Type, from.Type)
		} else {
			made.Go = c.ref(f.Type, f.Type)
		}
		fields = append(fields, made)
	}
	return fields
}
