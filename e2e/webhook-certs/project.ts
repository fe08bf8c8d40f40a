// Creates a bundled project whose manager manages its own certificates, and its deployment for an API server without Pods.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { must } from "../../scripts/lib/run.mjs";
import { kubectlPath } from "../../scripts/test-support/kubectl.ts";
import { checkout, scaffold } from "../../scripts/test-support/scaffold.ts";

/** A manifest. The tests read any of its fields. */
// biome-ignore lint/suspicious/noExplicitAny: any kind of object.
export type Manifest = any;

const game = ["--group", "shop", "--version", "v1", "--kind", "Game"];
export const definition = "games.shop.example.com";

/**
 * Scaffolds the project. Its validator rejects objects called "refused". Everything else is as scaffolded.
 */
export async function makeProject(root: string): Promise<void> {
  mkdirSync(root);
  const init = ["--domain", "example.com", "--project-name", "op", "--webhook-certs", "self", "--fetch-deps=false"];
  await scaffold(root, "init", ...init);
  await scaffold(root, "create", "api", ...game);
  await scaffold(root, "create", "api", "--group", "shop", "--version", "v2", "--kind", "Game", "--controller=false");
  await scaffold(root, "create", "webhook", ...game, "--defaulting", "--programmatic-validation");
  await scaffold(root, "create", "webhook", ...game, "--conversion", "--spoke", "v2");
  await scaffold(root, "generate");
  change(join(root, "src/webhook/v1/game-webhook.ts"), "    // Your code goes here.\n    return [];", refusal);
  const modules = join(root, "node_modules");
  mkdirSync(join(modules, "@kubewright"), { recursive: true });
  symlinkSync(join(checkout, "packages/runtime"), join(modules, "@kubewright/runtime"));
  symlinkSync(checkout, join(modules, "kubewright"));
  symlinkSync(join(checkout, "node_modules/esbuild"), join(modules, "esbuild"));
  mkdirSync(join(modules, ".bin"));
  // The packages with these programs aren't installed, and the tests don't check the code.
  for (const name of ["biome", "tsc"]) writeFileSync(join(modules, ".bin", name), "#!/bin/sh\n", { mode: 0o755 });
}

/** Builds its `dist/main.js`. */
export async function bundle(root: string): Promise<void> {
  await scaffold(root, "build", "--bundle-only");
}

const refusal = `    if (obj.metadata?.name === "refused") throw new Error("not this one");
    return [];`;

/** Replaces text in a file, as a user would. Fails if the text isn't found. */
export function change(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(path, text.replace(from, to));
}

/** Copies the files of an image to an empty directory: no sources, no packages. */
export function installBundle(root: string, directory: string): string {
  mkdirSync(directory);
  for (const name of ["main.js", "package.json"]) cpSync(join(root, "dist", name), join(directory, name));
  return join(directory, "main.js");
}

/** Returns the objects of `make deploy`, with webhook clients by URL, because the tests' API server can't reach Services. */
export async function deployment(root: string, url: string): Promise<Manifest[]> {
  const { stdout } = await must(kubectlPath(), ["kustomize", "config/default"], { cwd: root });
  const manifests = loadAll(stdout) as Manifest[];
  for (const manifest of manifests) {
    for (const webhook of manifest.webhooks ?? []) webhook.clientConfig = byUrl(webhook.clientConfig, url);
    const conversion = manifest.spec?.conversion?.webhook;
    if (conversion) conversion.clientConfig = byUrl(conversion.clientConfig, url);
  }
  return manifests;
}

const byUrl = ({ service }: Manifest, url: string) => ({ url: `${url}${service.path}` });

/** Returns the environment and flags that a deployment sets for its manager. */
export function managerOf(manifests: readonly Manifest[]): { env: Record<string, string>; args: string[] } {
  const { metadata, spec } = manifests.find(({ kind }) => kind === "Deployment");
  const [container] = spec.template.spec.containers;
  const env = container.env.map(({ name, value, valueFrom }: Manifest) => {
    if (valueFrom && valueFrom.fieldRef.fieldPath !== "metadata.namespace") throw new Error(`${name} is not known`);
    return [name, valueFrom ? metadata.namespace : value];
  });
  return { env: Object.fromEntries(env), args: container.args };
}
