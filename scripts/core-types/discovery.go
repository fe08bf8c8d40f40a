package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// resource is the API server's description of a kind. The field order is that of the data files.
type resource struct {
	Plural       string   `json:"plural"`
	Scope        string   `json:"scope"`
	Subresources []string `json:"subresources,omitempty"`
}

// discovery contains the served resources by group and version, then kind.
type discovery map[string]map[string]*resource

func (d discovery) find(group, version, kind string) *resource {
	return d[group+"/"+version][kind]
}

// readDiscovery reads the discovery documents that the Kubernetes source tree contains as test fixtures, with all APIs
// enabled, including alpha ones. They contain the real plurals, so no rule is needed.
func readDiscovery(dir, version string) (discovery, error) {
	out, err := goCommand(dir, "mod", "download", "-json", "k8s.io/kubernetes@"+version)
	if err != nil {
		return nil, err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(module.Dir, "api/discovery/api*__*.json"))
	if err != nil {
		return nil, err
	}
	served := discovery{}
	for _, file := range files {
		if err := served.add(file); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if served.find("", "v1", "Pod") == nil {
		return nil, fmt.Errorf("%s/api/discovery has no pods", module.Dir)
	}
	return served, nil
}

func (d discovery) add(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var list struct {
		Kind         string
		GroupVersion string
		Resources    []struct {
			Name, Kind, Group, Version string
			Namespaced                 bool
		}
	}
	if err := json.Unmarshal(content, &list); err != nil {
		return err
	}
	if list.Kind != "APIResourceList" {
		return nil // an APIGroup document
	}
	key := list.GroupVersion
	if !strings.Contains(key, "/") {
		key = "/" + key
	}
	kinds, byPlural := map[string]*resource{}, map[string]*resource{}
	for _, r := range list.Resources {
		if plural, subresource, ok := strings.Cut(r.Name, "/"); ok {
			if parent := byPlural[plural]; parent != nil {
				parent.Subresources = append(parent.Subresources, subresource)
			}
			continue
		}
		scope := "Cluster"
		if r.Namespaced {
			scope = "Namespaced"
		}
		kinds[r.Kind] = &resource{Plural: r.Name, Scope: scope}
		byPlural[r.Name] = kinds[r.Kind]
	}
	d[key] = kinds
	return nil
}
