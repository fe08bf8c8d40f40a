// Compares roles and webhook configurations. Their markers are at package level, and identical in both languages.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { createRandom } from "../../scripts/test-support/random.ts";
import { asControllerGen } from "../../src/diagnostics/definitions/as-controller-gen.ts";
import { generate } from "../../src/generate/generate.ts";
import { requestOf } from "../../src/generate/test-support/request.ts";
import { firstLines } from "./compare.ts";
import { inventRules, permissions, type RbacRule, rbacMarker } from "./invent/rbac.ts";
import { webhookMarker } from "./invent/webhooks.ts";

export interface ManifestRequest {
  readonly tool: string;
  readonly scratch: string;
  readonly seed: number;
  readonly cases: number;
}

/** The result of a comparison, with a few lines per difference. */
export interface ManifestResult {
  readonly compared: number;
  /** Number of cases without a valid reference: it loses permissions, or its runs differ. */
  readonly undecided: number;
  readonly differences: readonly string[];
}

/** Writes package-level markers as Go and runs the reference. */
function reference(tool: string, directory: string, markers: readonly string[], option: string, file: string): string {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, "markers"), { recursive: true });
  for (const name of ["go.mod", "go.sum"]) cpSync(join(import.meta.dirname, "module", name), join(directory, name));
  writeFileSync(join(directory, "markers/markers.go"), `package markers\n\n${comments(markers)}\nvar X int\n`);
  execFileSync(tool, [option, "paths=./...", "output:dir=out"], {
    cwd: directory,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return readFileSync(join(directory, "out", file), "utf8");
}

async function ours(directory: string, markers: readonly string[], option: string): Promise<string> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "markers.ts"), `${comments(markers)}\nexport {};\n`);
  const request = requestOf(directory, [option, "paths=.", "output:dir=out"], { levels: asControllerGen });
  const { diagnostics, plan } = await generate(request);
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  if (errors.length > 0)
    return errors.map(({ line, message }) => `refused: ${markers[line - 1]}: ${message}`).join("\n");
  return plan.writes[0]?.after ?? "";
}

function comments(markers: readonly string[]): string {
  return markers.map((marker) => `// +${marker}\n`).join("");
}

/** Compares webhooks with unique names, which determine their order. */
export async function fuzzWebhooks({ tool, scratch, seed, cases }: ManifestRequest): Promise<ManifestResult> {
  const markers = Array.from({ length: cases }, (_, index) => {
    return webhookMarker(createRandom(seed, index), `w${(index * 7919) % cases}.example.com`);
  });
  const random = createRandom(seed, cases);
  for (const mutating of [true, false]) {
    const name = random.pick(["first", '"second-one"', "`third`"]);
    if (random.chance(0.5)) markers.push(`kubebuilder:webhookconfiguration:mutating=${mutating},name=${name}`);
  }
  const theirs = reference(tool, join(scratch, "go-webhooks"), markers, "webhook", "manifests.yaml");
  const mine = await ours(join(scratch, "ts-webhooks"), markers, "webhook");
  const differences = theirs === mine ? [] : [firstLines(theirs, mine)];
  return { compared: cases, undecided: 0, differences };
}

interface Role {
  metadata: { name: string; namespace?: string };
  rules: {
    apiGroups?: string[];
    resources?: string[];
    resourceNames?: string[];
    nonResourceURLs?: string[];
    verbs: string[];
  }[];
}

/** Compares roles with a few rules each. */
export async function fuzzRoles({ tool, scratch, seed, cases }: ManifestRequest): Promise<ManifestResult> {
  const rules = Array.from({ length: cases }, (_, index) => inventRules(createRandom(seed, index), `r${index}`));
  const writing = createRandom(seed, -1);
  const markers = rules.flat().map((rule) => rbacMarker(writing, rule));
  const option = "rbac:roleName=all";
  const runs = [1, 2, 3].map((run) =>
    byRole(reference(tool, join(scratch, `go-rbac${run}`), markers, option, "role.yaml")),
  );
  const mine = byRole(await ours(join(scratch, "ts-rbac"), markers, option));
  const differences: string[] = [];
  let undecided = 0;
  for (const [index, wanted] of rules.entries()) {
    const name = `r${index}`;
    const said = wanted.map((rule) => `${JSON.stringify(rule)}\n`).join("");
    const lost = missing(wanted, mine.get(name) ?? "");
    if (lost.length > 0) differences.push(`${name}: we lose ${lost.join("; ")}\n${said}`);
    const [first = "", ...others] = runs.map((run) => run.get(name) ?? "");
    if (others.some((other) => other !== first) || missing(wanted, first).length > 0) undecided++;
    else if (first !== mine.get(name)) differences.push(`${name}\n${firstLines(first, mine.get(name) ?? "")}\n${said}`);
  }
  return { compared: cases, undecided, differences };
}

/** Compares roles without a name in the markers or the option. */
export async function compareNamelessRoles({ tool, scratch }: Pick<ManifestRequest, "tool" | "scratch">) {
  const markers = ["verbs=get", 'verbs=list,roleName=""', "verbs=get,namespace=bay", "verbs=get,roleName=named"].map(
    (rest) => `kubebuilder:rbac:groups=apps,resources=deployments,${rest}`,
  );
  const option = "rbac:roleName=";
  return {
    theirs: reference(tool, join(scratch, "go-nameless"), markers, option, "role.yaml"),
    mine: await ours(join(scratch, "ts-nameless"), markers, option),
  };
}

/** Returns the documents of each role. */
function byRole(text: string): Map<string, string> {
  const roles = new Map<string, string>();
  for (const document of text.split(/^---\n/m)) {
    const name = /^ {2}name: (\S+)$/m.exec(document)?.[1];
    if (name !== undefined) roles.set(name, `${roles.get(name) ?? ""}---\n${document}`);
  }
  return roles;
}

/** Returns the permissions that the rules grant and the roles don't. */
function missing(wanted: readonly RbacRule[], text: string): string[] {
  const roles = loadAll(text).filter(Boolean) as Role[];
  const given = permissions(
    roles.flatMap(({ metadata, rules }) =>
      rules.map((rule) => ({
        ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
        ...(rule.apiGroups ? { groups: rule.apiGroups } : {}),
        ...(rule.resources ? { resources: rule.resources } : {}),
        ...(rule.resourceNames ? { resourceNames: rule.resourceNames } : {}),
        ...(rule.nonResourceURLs ? { urls: rule.nonResourceURLs } : {}),
        verbs: rule.verbs,
      })),
    ),
  );
  return [...permissions(wanted)].filter(
    (permission) => !given.has(permission) && !given.has(permission.replace(/\S+$/, "*")),
  );
}
