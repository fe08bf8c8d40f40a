// A project whose kind has two versions, of which one has another name for an optional field.
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { scaffold } from "../../scripts/test-support/scaffold.ts";

export const group = "shop.example.com";
export const definitionName = `widgets.${group}`;

const kind = ["--group", "shop", "--kind", "Widget"];
const foo = /^ {2}\/\*\* foo is an example field[^\n]*\n {2}foo\?: string;\n/m;

/** Replaces a text in a file of a project. */
export function edit(root: string, file: string, from: string | RegExp, to: string): void {
  const path = join(root, file);
  const before = readFileSync(path, "utf8");
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${file} doesn't contain ${from}`);
  writeFileSync(path, after);
}

/** Scaffolds the project with its first version only, without packages. */
export async function firstVersion(root: string): Promise<void> {
  const names = ["--project-name", "shop", "--domain", "example.com", "--repo", "example.com/shop"];
  await scaffold(root, "init", ...names, "--fetch-deps=false");
  await scaffold(root, "create", "api", ...kind, "--version", "v1");
  const webhooks = ["--defaulting", "--programmatic-validation"];
  await scaffold(root, "create", "webhook", ...kind, "--version", "v1", ...webhooks);
  edit(root, "api/v1/widget-types.ts", foo, "  size?: number;\n  nickname?: string;\n  stamp?: string;\n");
  edit(
    root,
    "src/webhook/v1/widget-webhook.ts",
    "    // Your code goes here.\n",
    '    obj.spec.stamp ??= "defaulted";\n',
  );
  edit(
    root,
    "src/webhook/v1/widget-webhook.ts",
    "    // Your code goes here.\n",
    '    if ((obj.spec.size ?? 0) < 0) throw new Error("size must not be negative");\n',
  );
}

/** Adds the second version with its conversion to a project with the first one. */
export async function secondVersion(root: string): Promise<void> {
  await scaffold(root, "create", "api", ...kind, "--version", "v2", "--controller=false");
  edit(root, "api/v2/widget-types.ts", "nickname?: string", "displayName?: string");
  await scaffold(root, "create", "webhook", ...kind, "--version", "v1", "--conversion", "--spoke", "v2");
  const conversion = "api/v2/widget-conversion.ts";
  edit(
    root,
    conversion,
    "    return { ...obj, spec: obj.spec && { ...obj.spec } };",
    "    const { displayName, ...spec } = obj.spec ?? {};\n    return { ...obj, spec: displayName === undefined ? spec : { ...spec, nickname: displayName } };",
  );
  edit(
    root,
    conversion,
    "    return { ...hub, spec: hub.spec && { ...hub.spec } };",
    "    const { nickname, ...spec } = hub.spec ?? {};\n    return { ...hub, spec: nickname === undefined ? spec : { ...spec, displayName: nickname } };",
  );
}

/** Scaffolds a project with both versions, and installs its packages. */
export async function convertedProject(): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-converted-")));
  await firstVersion(root);
  await secondVersion(root);
  await linkPackages(root);
  return root;
}

/** Lets the reconciler call an external system, and write the whole object as operators do that don't use patches. */
export function useExternalSystem(root: string): void {
  edit(
    root,
    "src/controller/widget-controller.ts",
    "    // Your code goes here.\n",
    `    const { EXTERNAL_SYSTEM: url } = process.env;
    if (url === undefined) return;
    await fetch(url, { method: "POST", body: JSON.stringify(object.spec) });
    const seen = String(object.spec.size ?? 0);
    if (object.metadata.labels?.seen === seen) return;
    await this.client.update({
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, seen } },
    });
`,
  );
}

/** Adds the conversion of another version, whose fields are those of v2. */
export async function addSpoke(root: string, version: string): Promise<void> {
  await scaffold(root, "create", "webhook", ...kind, "--version", "v1", "--conversion", "--spoke", version);
  const second = readFileSync(join(root, "api/v2/widget-conversion.ts"), "utf8");
  writeFileSync(join(root, `api/${version}/widget-conversion.ts`), second);
}
