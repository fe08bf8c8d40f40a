import { expect, it } from "vitest";
import { goMarkers, unreadNotes, withWebhooks } from "./go-markers.ts";

const file = (...lines: string[]) => ["}", "", ...lines, "export class A {}", ""].join("\n");
const marker = "// +kubebuilder:webhook:path=/a,mutating=true";

it("withWebhooks keeps one empty line where it removes all markers", () => {
  expect(withWebhooks(file(marker, ""), new Map())).toBe(file());
  expect(withWebhooks(file(marker), new Map())).toBe(file());
  const own = new Map([["/a", [{ text: "+kubebuilder:webhook:path=/a", at: "a.go:1" }]]]);
  expect(withWebhooks(file(marker, ""), own)).toBe(file("// +kubebuilder:webhook:path=/a", ""));
});

it("markers that controller-gen doesn't read are listed with the line of the first one", () => {
  const code = [
    "package a",
    "",
    "// +kubebuilder:rbac:groups=a,resources=b,verbs=get",
    "",
    "// +kubebuilder:webhook:path=/a",
    "// Setup is documented.",
    "func Setup() {",
    "\t// +kubebuilder:rbac:groups=c,resources=d,verbs=get",
    "}",
  ];
  const { roles, webhooks, unread } = goMarkers("internal/a.go", code.join("\n"));
  expect({ roles: roles.length, webhooks: webhooks.length }).toEqual({ roles: 1, webhooks: 0 });
  expect(unreadNotes({ path: "a.go", unread, outside: [] })).toEqual([
    "internal/a.go:5: not copied, because controller-gen reads no markers in this place: +kubebuilder:webhook:path=/a, and 1 more in this file; if the new operator needs them, copy them to the file of the controller or webhook",
  ]);
  expect(unreadNotes({ path: "a.go", unread: [], outside: [] })).toEqual([]);
});

it("names the packages for which controller-gen isn't called, with the same advice", () => {
  const outside = [{ text: "+kubebuilder:rbac:groups=a,resources=b,verbs=get", at: "pkg/a.go:3" }];
  expect(unreadNotes({ path: "pkg/a.go", unread: [], outside })).toEqual([
    "pkg/a.go:3: not copied, because controller-gen isn't called for this package: +kubebuilder:rbac:groups=a,resources=b,verbs=get; if the new operator needs them, copy them to the file of the controller or webhook",
  ]);
});

it("lists a marker at the end of a declaration, and none in a text", () => {
  const rbac = "// +kubebuilder:rbac:groups=a,resources=b,verbs=get";
  const { roles, unread } = goMarkers("a.go", `package a\n\nvar b = 1 ${rbac}\nvar c = \`\n${rbac}\n\`\n`);
  expect({ roles, unread: unread.map(({ at }) => at) }).toEqual({ roles: [], unread: ["a.go:3"] });
});
