import { describe, expect, it } from "vitest";
import { exportedNames, usedNames } from "./go-names.ts";

const file = `package controller

import (
	"context"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client" // client.Comment
	. "sigs.k8s.io/controller-runtime/pkg/envtest/komega"
	_ "sigs.k8s.io/controller-runtime/pkg/metrics"
)

// ctrl.Unused is only in a comment.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	log("ctrl.Text", \`client.Raw\`)
	return ctrl.Result{}, client.IgnoreNotFound(r.client.Get(ctx, req, Object(x)))
}
`;

describe("usedNames", () => {
  it("returns the names of imported packages, by alias and without one", () => {
    const names = usedNames(file);
    expect(names).toContainEqual({ path: ".", name: "Request" });
    expect(names).toContainEqual({ path: ".", name: "Result" });
    expect(names.filter(({ path }) => path === "pkg/client")).toEqual([{ path: "pkg/client", name: "IgnoreNotFound" }]);
    expect(names.filter(({ path }) => path === ".")).toHaveLength(2);
  });

  it("returns the capitalized words of a file with a dot import", () => {
    expect(usedNames(file)).toContainEqual({ path: "pkg/envtest/komega", name: "Object" });
  });

  it("ignores blank imports and other modules", () => {
    expect(usedNames('import "k8s.io/client-go/rest"\nvar a = rest.Config{}\n')).toEqual([]);
    expect(usedNames('import _ "sigs.k8s.io/controller-runtime/pkg/log"\nvar a = log.Log\n')).toEqual([]);
  });

  it("returns the names of the package at the root without an alias", () => {
    const source = 'import "sigs.k8s.io/controller-runtime"\nvar a controllerruntime.Manager\n';
    expect(usedNames(source)).toEqual([{ path: ".", name: "Manager" }]);
  });
});

describe("exportedNames", () => {
  it("returns functions, types, variables and constants, also in groups", () => {
    const source = [
      "func New[T any]() {}",
      "func (c *Cache) Method() {}",
      "func hidden() {}",
      "type Options struct {\n\tField string\n}",
      "var (\n\tLog, Other = 1, 2\n\n\tinner = 3\n)",
      'const ( // with a comment\n\t// Doc\n\tNone Result = "A"\n)',
    ].join("\n");
    expect(exportedNames(source)).toEqual(["New", "Options", "Log", "Other", "None"]);
  });
});
