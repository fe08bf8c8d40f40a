import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runCli } from "../../../../cli/test-support/run-cli.ts";

export const checkout = fileURLToPath(new URL("../../../../../", import.meta.url));

/** A diagnostic of `rbac:verify=true`. Line numbers in `src/main.ts` start after the imports. */
export interface Finding {
  readonly id: string;
  readonly at: string;
  readonly message: string;
  readonly hint?: string;
}

export const head = `import { createOrPatch, createOrUpdate, groupVersion, Manager, mergeFrom, newControllerManagedBy, patchStatus, setControllerReference } from "@kubewright/runtime";
import type { Client, Kind, KubernetesObject, Reader, Stored } from "@kubewright/runtime";
import { ConfigMap, Node, Pod, Secret, Service } from "@kubewright/runtime/api/core/v1";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
export const Game = groupVersion("shop.example.com", "v1").kind<Game>("Game");
export interface Game extends KubernetesObject { spec: { size?: number }; status?: { phase?: string } }
declare const client: Client;
declare const mgr: Manager;
declare const game: Stored<Game>;
const key = { namespace: "a", name: "b" };
`;
export const lines = head.split("\n").length - 1;

/** Creates an empty directory that can import the runtime. It is removed when the test ends. */
export function createRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "kubewright-verify-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "node_modules/@kubewright"), { recursive: true });
  symlinkSync(join(checkout, "packages/runtime"), join(root, "node_modules/@kubewright/runtime"), "junction");
  return root;
}

/** Returns the findings for an operator with one file or more. Line numbers start after the imports. */
export async function findingsOf(code: string, more: Record<string, string> = {}): Promise<Finding[]> {
  const root = createRoot();
  const files: Record<string, string> = { "package.json": '{"type":"module"}', "src/main.ts": head + code, ...more };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const options = ["rbac:roleName=manager-role,verify=true", "paths=./...", "output:dir=config/rbac", "--json"];
  const { stdout } = await runCli(root, ["generate", ...options]);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: (Finding & { file: string; line: number; column: number })[];
  };
  return diagnostics.map(({ id, file, line, column, message, hint }) => ({
    id,
    at: `${file.endsWith("main.ts") ? line - lines : `${file}:${line}`}:${column}`,
    message,
    ...(hint === undefined ? {} : { hint }),
  }));
}

/** Returns the manifest of a binding of a Role to a service account. */
export const binding = (name: string, account: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: ${name}, namespace: system }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${name} }
subjects: [{ kind: ServiceAccount, name: ${account}, namespace: system }]
`;
