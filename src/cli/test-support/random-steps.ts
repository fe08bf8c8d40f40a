import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../../scripts/test-support/random.ts";
import { projectFiles } from "../../scaffold/files/project-files.ts";
import { options } from "../../scaffold/parts/config-options.ts";
import { type CliEnd, runCli } from "./run-cli.ts";

/** A change of a project: a command, or an edit by its author. */
export interface Step {
  /** The command line, or the name of the edit, for messages. */
  readonly label: string;
  readonly run: (root: string) => Promise<CliEnd> | undefined;
}

/** Chooses values by chance, the same ones for the same seed. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** Returns each value with a probability of one half, in their order. */
  some<T>(values: readonly T[]): T[] {
    return values.filter(() => this.chance(0.5));
  }
}

const groups = ["shop", "crew"];
const versions = ["v1", "v1beta1", "v2"];
const kinds = ["Game", "Chess"];
const crd = join(import.meta.dirname, "../../../testdata/from-crd/everything.yaml");

/**
 * Returns the next step of a sequence. Commands that don't fit the project are rejected, which is a valid step, too.
 */
export function randomStep(dice: Dice, root: string): Step {
  return dice.chance(0.4) ? randomEdit(dice, root) : randomCommand(dice);
}

function randomCommand(dice: Dice): Step {
  const args = dice.pick([createApi, createApi, createApi, createWebhook, createWebhook, createWebhook, remove, edit])(
    dice,
  );
  return { label: `scaffold ${args.join(" ")}`, run: (root) => runCli(root, args) };
}

/** Mostly chooses the first group and kind, to find existing resources again. */
function name(dice: Dice): string[] {
  const group = dice.chance(0.8) ? "shop" : dice.pick(groups);
  const kind = dice.chance(0.7) ? "Game" : dice.pick(kinds);
  return ["--group", group, "--version", dice.pick(versions), "--kind", kind];
}

const force = (dice: Dice) => (dice.chance(0.15) ? ["--force"] : []);

function createApi(dice: Dice): string[] {
  const foreign = dice.below(12);
  if (foreign === 0) return ["create", "api", "--from-crd", crd, ...force(dice)];
  if (foreign === 1) {
    const module = ["--external-api-path", "@acme/orders/v1", "--external-api-module", "@acme/orders@1.0.0"];
    return ["create", "api", "--group", "orders", "--version", "v1", "--kind", "Order", ...module];
  }
  if (foreign === 2)
    return ["create", "api", "--group", "apps", "--version", "v1", "--kind", "Deployment", "--resource=false"];
  const controller = dice.pick([[], ["--controller=false"], ["--controller=false"], ["--controller-name", "keeper"]]);
  const types = dice.chance(0.15) ? ["--resource=false"] : [];
  return ["create", "api", ...name(dice), ...controller, ...types, ...force(dice)];
}

function createWebhook(dice: Dice): string[] {
  const types = dice.some(["--defaulting", "--programmatic-validation"]);
  const conversion = dice.chance(0.4)
    ? ["--conversion", ...dice.some(versions).flatMap((spoke) => ["--spoke", spoke])]
    : [];
  const kind = dice.chance(0.1) ? ["--group", "apps", "--version", "v1", "--kind", "Deployment"] : name(dice);
  return ["create", "webhook", ...kind, ...types, ...conversion, ...force(dice)];
}

function remove(dice: Dice): string[] {
  if (dice.chance(0.4)) return ["delete", "api", ...name(dice)];
  return [
    "delete",
    "webhook",
    ...name(dice),
    ...dice.some(["--defaulting", "--programmatic-validation", "--conversion"]),
  ];
}

function edit(dice: Dice): string[] {
  const choices = [
    () => [`--multigroup=${dice.chance(0.6)}`],
    () => [`--namespaced=${dice.chance(0.5)}`],
    () => ["--webhook-certs", dice.pick(["self", "cert-manager", "files"])],
    () => ["--enable", dice.pick(options)],
    () => ["--disable", dice.pick(options)],
    () => ["--license", dice.pick(["apache2", "copyright", "none"])],
    () => ["--owner", dice.pick(["Acme", "The Authors"])],
  ];
  return ["edit", ...dice.pick(choices)()];
}

/** Returns an edit of a file of the project, of a kind that users make. */
function randomEdit(dice: Dice, root: string): Step {
  const files = projectFiles(root).filter((path) => path !== "PROJECT" && !path.startsWith("vendor/"));
  const types = files.filter((path) => path.endsWith("-types.ts"));
  if (types.length > 0 && dice.chance(0.4)) return typesEdit(dice, dice.pick(types));
  const file = dice.chance(0.1) ? "hack/boilerplate.txt" : dice.pick(files);
  const at = dice.below(1000);
  const line = (lines: readonly string[]) => at % Math.max(1, lines.length);
  const comment = /\.([jt]s|txt)$/.test(file) ? "// mine" : "# mine";
  return dice.pick([
    change(file, "a line at the end", (text) => `${text}${comment}\n`),
    change(file, `a line before line ${at}`, (text) => byLines(text, (lines) => lines.splice(line(lines), 0, comment))),
    change(file, `line ${at} taken out`, (text) => byLines(text, (lines) => lines.splice(line(lines), 1))),
    change(file, "Windows line breaks", (text) => text.replace(/\r?\n/g, "\r\n")),
    { label: `${file}: deleted`, run: (directory) => void rmSync(join(directory, file), { force: true }) },
  ]);
}

function typesEdit(dice: Dice, file: string): Step {
  const marker = "// +kubebuilder:storageversion\n";
  return dice.pick([
    change(file, "another field", (text) => text.replace("foo?: string;", "size: number;")),
    change(file, "one more field", (text) => text.replace("foo?: string;", "foo?: string;\n  size?: number;")),
    change(file, "stored", (text) => text.replace(/^(\/\/ \+kubebuilder:subresource:status\n)/m, `$1${marker}`)),
    change(file, "no longer stored", (text) => text.replace(marker, "")),
  ]);
}

function byLines(text: string, edit: (lines: string[]) => unknown): string {
  const lines = text.split("\n");
  edit(lines);
  return lines.join("\n");
}

function change(file: string, what: string, edit: (text: string) => string): Step {
  return {
    label: `${file}: ${what}`,
    run(root) {
      try {
        writeFileSync(join(root, file), edit(readFileSync(join(root, file), "utf8")));
      } catch (error) {
        // The author has deleted the file in an earlier step.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
      return undefined;
    },
  };
}
