package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"

	"k8s.io/kubernetes/pkg/printers"
	columns "k8s.io/kubernetes/pkg/printers/internalversion"
)

var (
	scheme = legacyscheme.Scheme
	strict = serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{Strict: true})
	proto  = protobuf.NewSerializer(scheme, scheme)
	tables = printers.NewTableGenerator().With(columns.AddHandlers)
)

// outcome is an object in the forms that it has during a request.
type outcome struct {
	// Object is the object as it was read.
	Object runtime.Object `json:"object,omitempty"`
	// Strict are messages about unknown and repeated fields.
	Strict []string `json:"strict,omitempty"`
	Error  string   `json:"error,omitempty"`
	// Proto is the object in protobuf.
	Proto string `json:"proto,omitempty"`
	// Defaulted is the object with its defaults, and Converted its form after a round trip through the internal version.
	Defaulted json.RawMessage `json:"defaulted,omitempty"`
	Converted json.RawMessage `json:"converted,omitempty"`
	Stored    json.RawMessage `json:"stored,omitempty"`
	// Other is the object in another version of the same kind.
	Other json.RawMessage `json:"other,omitempty"`
	// Cells are the cells of the object's row in a table, and Conditions those of the row.
	Cells      []any  `json:"cells,omitempty"`
	Conditions any    `json:"conditions,omitempty"`
	Problem    string `json:"problem,omitempty"`
	Now        string `json:"now,omitempty"`
}

func (r request) decode() (any, error) {
	return read(strict, []byte(r.Body), r.gvk())
}

func (r request) proto() (any, error) {
	body, err := base64.StdEncoding.DecodeString(r.Body)
	if err != nil {
		return nil, err
	}
	return read(proto, body, r.gvk())
}

func (r request) gvk() *schema.GroupVersionKind {
	kind := schema.FromAPIVersionAndKind(r.APIVersion, r.Kind)
	return &kind
}

func read(decoder runtime.Decoder, body []byte, defaults *schema.GroupVersionKind) (any, error) {
	object, kind, err := decoder.Decode(body, defaults, nil)
	if object == nil {
		return map[string]any{"error": err.Error()}, nil
	}
	result := outcome{}
	if problem, ok := runtime.AsStrictDecodingError(err); ok {
		for _, one := range problem.Errors() {
			result.Strict = append(result.Strict, one.Error())
		}
	} else if err != nil {
		result.Error = err.Error()
	}
	object.GetObjectKind().SetGroupVersionKind(*kind)
	result.Object = object
	result.follow(object.DeepCopyObject(), *kind)
	return result, nil
}

// otherVersions are the versions that a kind is also served in.
var otherVersions = map[schema.GroupVersionKind]schema.GroupVersion{
	{Group: "autoscaling", Version: "v1", Kind: "HorizontalPodAutoscaler"}: {Group: "autoscaling", Version: "v2"},
	{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}: {Group: "autoscaling", Version: "v1"},
	{Group: "", Version: "v1", Kind: "Event"}:                              {Group: "events.k8s.io", Version: "v1"},
	{Group: "events.k8s.io", Version: "v1", Kind: "Event"}:                 {Group: "", Version: "v1"},
}

// follow processes the object as a request does.
func (o *outcome) follow(object runtime.Object, kind schema.GroupVersionKind) {
	scheme.Default(object)
	o.Defaulted, _ = json.Marshal(object)
	internal, err := scheme.ConvertToVersion(object, schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		o.Problem = err.Error()
		return
	}
	o.Converted = o.write(internal, kind.GroupVersion())
	if other, known := otherVersions[kind]; known {
		o.Other = o.write(internal, other)
	}
	if table, err := tables.GenerateTable(internal, printers.GenerateOptions{Wide: true}); err == nil && len(table.Rows) == 1 {
		o.Cells = table.Rows[0].Cells
		o.Conditions = table.Rows[0].Conditions
		o.Now = time.Now().UTC().Format(time.RFC3339Nano)
	}
	// Storage is in protobuf.
	external, err := scheme.ConvertToVersion(internal, kind.GroupVersion())
	if err != nil {
		return
	}
	external.GetObjectKind().SetGroupVersionKind(kind)
	var buffer bytes.Buffer
	if err := proto.Encode(external, &buffer); err != nil {
		return
	}
	stored, _, err := proto.Decode(buffer.Bytes(), nil, nil)
	if err != nil {
		o.Problem = err.Error()
		return
	}
	scheme.Default(stored)
	if internal, err = scheme.ConvertToVersion(stored, schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal}); err == nil {
		o.Stored = o.write(internal, kind.GroupVersion())
	}
}

func (o *outcome) write(internal runtime.Object, version schema.GroupVersion) json.RawMessage {
	external, err := scheme.ConvertToVersion(internal, version)
	if err != nil {
		o.Problem = err.Error()
		return nil
	}
	text, err := json.Marshal(external)
	if err != nil {
		o.Problem = err.Error()
	}
	return text
}
