import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../../scripts/test-support/scaffold.ts";

/** The directory of the golden projects. */
export const goldens = join(checkout, "testdata/projects");

/** The types of an external kind, in the format of the package kubernetes-models. */
const issuer = `
export interface IIssuer {
  apiVersion: "cert-manager.io/v1";
  kind: "Issuer";
  metadata?: { name?: string; namespace?: string };
  spec: { acme?: { server: string } };
}
export declare class Issuer implements IIssuer {
  apiVersion: "cert-manager.io/v1";
  kind: "Issuer";
  metadata?: IIssuer["metadata"];
  spec: IIssuer["spec"];
  validate(): void;
}
`;

/** Links this checkout's own packages into a copy of a golden project. */
export function install(project: string): void {
  const [from, to] = [join(checkout, "node_modules"), join(project, "node_modules")];
  mkdirSync(join(to, "@kubewright"), { recursive: true });
  for (const name of readdirSync(from).filter((name) => !name.startsWith(".") && name !== "@kubewright")) {
    symlinkSync(join(from, name), join(to, name));
  }
  for (const name of ["runtime", "apiserver"])
    symlinkSync(join(checkout, "packages", name), join(to, "@kubewright", name));
  const foreign = join(to, "@kubernetes-models/cert-manager");
  mkdirSync(foreign, { recursive: true });
  const exports = { "./cert-manager.io/v1": { types: "./v1.d.ts" } };
  writeFileSync(join(foreign, "package.json"), JSON.stringify({ name: "@kubernetes-models/cert-manager", exports }));
  writeFileSync(join(foreign, "v1.d.ts"), issuer);
}
