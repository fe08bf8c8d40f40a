// The cases of markers on types: types in Go and TypeScript, and markers with a value each.

const v = "kubebuilder:validation:";

/** TypeScript types by Go type. */
export const types: Readonly<Record<string, string>> = {
  bool: "boolean",
  string: "string",
  int32: "Int32",
  int: "number",
  "[]string": "string[]",
  "map[string]string": "Record<string, string>",
  Obj: "Obj",
  NamedString: "NamedString",
  NamedInt: "NamedInt",
  NamedList: "NamedList",
  NamedMap: "NamedMap",
  "intstr.IntOrString": "IntOrString",
  "resource.Quantity": "Quantity",
  "metav1.Time": "Time",
  "metav1.Duration": "Duration",
  "runtime.RawExtension": "RawExtension",
  "apiextensionsv1.JSON": "JSONValue",
  "[]byte": "Bytes",
  "corev1.LocalObjectReference": "LocalObjectReference",
  "corev1.PullPolicy": "PullPolicy",
  "metav1.LabelSelector": "LabelSelector",
  "[]Obj": "Obj[]",
  "[]NamedString": "NamedString[]",
  "[]int32": "Int32[]",
  "[][]string": "string[][]",
  "map[string]Obj": "Record<string, Obj>",
  "[]intstr.IntOrString": "IntOrString[]",
};

const validations = [
  ...["Maximum=5", "Maximum=1.5", "Minimum=-5", "MultipleOf=2", "MultipleOf=0.5"],
  ...["ExclusiveMaximum=true", "ExclusiveMinimum=false", "MaxLength=5", "MinLength=0", "Pattern=`^a$`", 'Pattern=""'],
  ...["MaxItems=5", "MinItems=1", "UniqueItems=true", "MaxProperties=5", "MinProperties=1"],
  ...["Enum=a;b", "Enum={}", "Format=uri", "Type=string", 'Type=""'],
  ...["XIntOrString", "XEmbeddedResource", "XPreserveUnknownFields"],
  ...[
    "XValidation:rule=`true`",
    "XValidation:rule=`true`,reason=Nope",
    "XValidation:rule=`true`,reason=FieldValueRequired",
  ],
];

const both = [
  ...validations.map((text) => v + text),
  ...validations.map((text) => `${v}items:${text}`),
  ...["t", "5", "{a,b}", "true", "{a: b}", "1.5"].map((value) => `kubebuilder:title=${value}`),
  ...["https://a.b", "a b", "", "/x", "foo", "%zz"].map((url) => `kubebuilder:externalDocs:url="${url}"`),
  ...["map", "set", "atomic", "bag"].map((value) => `listType=${value}`),
  ...["listMapKey=a", "k8s:listType=set", "k8s:listMapKey=a"],
  ...["mapType=atomic", "mapType=granular", "mapType=x", "structType=atomic", "structType=granular", "structType=x"],
  "kubebuilder:pruning:PreserveUnknownFields",
  "k8s:enum",
];

/** Markers by target. */
export const markers: Readonly<Record<"field" | "type", readonly string[]>> = {
  field: [
    ...both,
    ...["kubebuilder:default=a", "kubebuilder:default={}", "kubebuilder:default=null", "kubebuilder:example=5"],
    ...['default="a"', "default=ref(x)", "nullable", "required", "optional", "k8s:required", "k8s:optional"],
    ...["k8s:maxItems=3", "k8s:minimum=1", "k8s:maximum=1.5", "k8s:immutable"],
    ...[`${v}EmbeddedResource`, `${v}Schemaless`, `${v}Required`, `${v}Optional`],
  ],
  type: [...both, `${v}ExactlyOneOf=a;b`, `${v}AtMostOneOf=a.b;c`, `${v}AtLeastOneOf={}`],
};
