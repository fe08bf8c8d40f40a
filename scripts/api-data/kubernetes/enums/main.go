// Writes the properties of models that have enumerated values, with their descriptions: the checked-in documents of the
// Kubernetes source tree lack them.
package main

import (
	"encoding/json"
	"os"
	"strings"

	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

type property struct {
	Enum        []any  `json:"enum"`
	Description string `json:"description"`
}

func main() {
	definitions := openapi.GetOpenAPIDefinitions(func(path string) spec.Ref { return spec.MustCreateRef(path) })
	models := map[string]map[string]property{}
	for name, definition := range definitions {
		for key, schema := range definition.Schema.Properties {
			enumerated := schema
			if schema.Items != nil && schema.Items.Schema != nil && len(schema.Items.Schema.Enum) > 0 {
				enumerated = *schema.Items.Schema
			}
			if more := schema.AdditionalProperties; more != nil && more.Schema != nil && len(more.Schema.Enum) > 0 {
				enumerated = *more.Schema
			}
			if len(enumerated.Enum) == 0 {
				continue
			}
			friendly := friendlyName(name, definition)
			if models[friendly] == nil {
				models[friendly] = map[string]property{}
			}
			models[friendly][key] = property{Enum: enumerated.Enum, Description: schema.Description}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(models); err != nil {
		panic(err)
	}
}

// friendlyName reverses the host of a package path, as names of models do.
func friendlyName(name string, _ common.OpenAPIDefinition) string {
	slash := strings.Index(name, "/")
	if slash < 0 {
		return name
	}
	host := strings.Split(name[:slash], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	return strings.Join(host, ".") + "." + strings.ReplaceAll(name[slash+1:], "/", ".")
}
