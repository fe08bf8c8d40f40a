// A project that random edits change, and the state that a cluster must have after each edit.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { createApi, initProject } from "../lib/game.ts";

/** An example, and the positions of edits. */
export interface Example {
  readonly kind: string;
  readonly group: string;
  readonly plural: string;
  /** Name of the mutating webhook. */
  readonly webhookName: string;
  readonly sampleName: string;
  readonly files: {
    readonly types: string;
    readonly controller: string;
    readonly webhook: string;
    readonly sample: string;
  };
  /** The comment of a field of the spec, before which edits insert fields. */
  readonly anchor: string;
  /** Scaffolds it in an empty directory, without packages. */
  create(root: string): Promise<void>;
}

const webhooks = ["--defaulting", "--programmatic-validation"];

/** The Game of the tutorial, with webhooks. */
export const gameExample: Example = {
  kind: "Game",
  group: "myapp.qingwave.github.io",
  plural: "games",
  webhookName: "mgame-v1.kb.io",
  sampleName: "game-sample",
  files: {
    types: "api/v1/game-types.ts",
    controller: "src/controller/game-controller.ts",
    webhook: "src/webhook/v1/game-webhook.ts",
    sample: "config/samples/myapp_v1_game.yaml",
  },
  anchor: "  /** Docker image name */",
  async create(root) {
    await initProject(root);
    await createApi(root);
    await scaffold(root, "create", "webhook", "--group", "myapp", "--version", "v1", "--kind", "Game", ...webhooks);
    for (const name of ["game", "game-webhook"]) cpSync(join(checkout, "examples", name), root, { recursive: true });
  },
};

/** The CronJob of kubebuilder's book. */
export const cronJobExample: Example = {
  kind: "CronJob",
  group: "batch.tutorial.kubebuilder.io",
  plural: "cronjobs",
  webhookName: "mcronjob-v1.kb.io",
  sampleName: "cronjob-sample",
  files: {
    types: "api/v1/cronjob-types.ts",
    controller: "src/controller/cronjob-controller.ts",
    webhook: "src/webhook/v1/cronjob-webhook.ts",
    sample: "config/samples/batch_v1_cronjob.yaml",
  },
  anchor: "  /** suspend stops new runs",
  async create(root) {
    const flags = ["--group", "batch", "--version", "v1", "--kind", "CronJob"];
    const names = ["--domain", "tutorial.kubebuilder.io", "--repo", "tutorial.kubebuilder.io/project"];
    await scaffold(root, "init", "--project-name", "project", ...names, "--fetch-deps=false");
    await scaffold(root, "create", "api", ...flags);
    await scaffold(root, "create", "webhook", ...flags, ...webhooks);
    cpSync(join(checkout, "examples", "cronjob"), root, { recursive: true });
    // The library of the example, in the version of this repository.
    const { devDependencies } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
    const path = join(root, "package.json");
    const own = JSON.parse(readFileSync(path, "utf8"));
    own.dependencies.croner = devDependencies.croner;
    writeFileSync(path, `${JSON.stringify(own, null, 2)}\n`);
  },
};

const fieldTypes = { string: "string", Int32: "integer", boolean: "boolean" } as const;
type FieldType = keyof typeof fieldTypes;

/** The current mistake in the project; empty if it has none. */
type Broken = "" | "types" | "syntax" | "deleted";

/** A name of an edit. */
export type EditName = keyof EditedProject["edits"];

/** The expected state of a project, and its files. */
export class EditedProject {
  readonly example: Example;
  readonly root: string;
  readonly #random: () => number;
  #original: Readonly<Record<keyof Example["files"], string>>;
  /** The log line of the running code, and the annotation that its webhook sets. */
  marker = "marker 0";
  failurePolicy: "fail" | "ignore" = "fail";
  broken: Broken = "";
  /** Whether the last edit changed the type of a field that existed. */
  isIncompatible = false;
  #fields = new Map<string, { type: FieldType; minimum?: number }>();
  #number = 0;

  private constructor(example: Example, root: string, random: () => number) {
    this.example = example;
    this.root = root;
    this.#random = random;
    const read = (file: string) => readFileSync(join(root, file), "utf8");
    const { types, controller, webhook, sample } = example.files;
    this.#original = { types: read(types), controller: read(controller), webhook: read(webhook), sample: read(sample) };
    this.#save("types", "controller", "webhook");
  }

  static async create(example: Example, random: () => number): Promise<EditedProject> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "kubewright-dev-")));
    await example.create(root);
    await linkPackages(root);
    return new EditedProject(example, root, random);
  }

  /** The fields that edits have added, as `name type minimum`. */
  get fields(): string[] {
    return [...this.#fields].map(([name, { type, minimum }]) => `${name} ${fieldTypes[type]} ${minimum ?? ""}`).sort();
  }

  /** Bases further edits on the types that a command has changed; no field may have been added by edits. */
  adoptTypes(): void {
    this.#original = { ...this.#original, types: readFileSync(join(this.root, this.example.files.types), "utf8") };
  }

  /** Makes an edit. */
  edit(name: EditName): void {
    this.#number++;
    const before = this.#fields.get("changed")?.type;
    this.edits[name]();
    this.isIncompatible = name === "breaking" && before !== undefined;
  }

  /** Returns one of the edits: more often one that repairs the code if it is broken. */
  next(): EditName {
    const { fix, ...others } = this.edits;
    const names = Object.keys(others) as EditName[];
    return this.#pick(this.broken === "" ? names : [...names, "fix", "fix", "fix", "fix", "fix"]);
  }

  readonly edits = {
    fix: () => {
      this.broken = "";
      this.#save("types", "controller");
    },
    code: () => {
      this.#mark();
      this.#save("controller", "webhook");
    },
    webhook: () => {
      this.failurePolicy = this.failurePolicy === "fail" ? "ignore" : "fail";
      this.#save("webhook");
    },
    field: () => {
      const type = this.#pick(Object.keys(fieldTypes) as FieldType[]);
      this.#fields.set(`field${Math.floor(this.#random() * 5)}`, { type });
      this.#save("types");
    },
    marker: () => {
      this.#fields.set("limited", { type: "Int32", minimum: Math.floor(this.#random() * 100) });
      this.#save("types");
    },
    // Stored values of the old type are invalid for this one.
    breaking: () => {
      this.#fields.set("changed", { type: this.#fields.get("changed")?.type === "string" ? "Int32" : "string" });
      this.#save("types");
    },
    removeField: () => {
      this.#fields.delete(this.#pick(["limited", "changed", "field0", "field1", "field2", "field3", "field4"]));
      this.#save("types");
    },
    typeError: () => this.#break("types"),
    syntaxError: () => this.#break("syntax"),
    deletedFile: () => this.#break("deleted"),
    // Some editors delete the file for a moment.
    replaced: () => {
      this.#mark();
      rmSync(join(this.root, this.example.files.controller), { force: true });
      this.#save("controller", "webhook");
    },
    sample: () => {
      const comment = `# edit ${this.#number}\n`;
      writeFileSync(join(this.root, this.example.files.sample), comment + this.#original.sample);
    },
    brokenSample: () => writeFileSync(join(this.root, `config/samples/extra-${this.#number % 3}.yaml`), "kind: [\n"),
    // A branch with 50 other files, and with other types and code.
    branch: () => {
      mkdirSync(join(this.root, "src/extra"), { recursive: true });
      for (let index = 0; index < 50; index++) {
        const text = `export const value${index} = ${this.#number};\n`;
        writeFileSync(join(this.root, `src/extra/file${index}.ts`), text);
      }
      this.#fields = new Map([[`branch${this.#number % 4}`, { type: "string" }]]);
      this.#mark();
      this.broken = "";
      this.#save("types", "controller", "webhook");
    },
    branchBack: () => {
      rmSync(join(this.root, "src/extra"), { recursive: true, force: true });
      this.#fields = new Map();
      this.#mark();
      this.broken = "";
      this.#save("types", "controller", "webhook");
    },
  };

  #break(how: Broken): void {
    this.broken = how;
    this.#save("controller");
  }

  #mark(): void {
    this.marker = `marker ${this.#number}`;
  }

  #save(...names: ("types" | "controller" | "webhook")[]): void {
    const texts = { types: () => this.#types(), controller: () => this.#controller(), webhook: () => this.#webhook() };
    for (const name of names) {
      const path = join(this.root, this.example.files[name]);
      if (name === "controller" && this.broken === "deleted") rmSync(path, { force: true });
      else writeFileSync(path, texts[name]());
    }
  }

  #types(): string {
    const { anchor } = this.example;
    const fields = [...this.#fields].map(([name, { type, minimum }]) => {
      const limit = minimum === undefined ? "" : `  // +kubebuilder:validation:Minimum:=${minimum}\n`;
      return `  /** A field. */\n${limit}  ${name}?: ${type};\n\n`;
    });
    return replaced(this.#original.types, anchor, `${fields.join("")}${anchor}`);
  }

  #controller(): string {
    const wrong = this.broken === "types" ? "    const wrong: number = req.name;\n" : "";
    const open = this.broken === "syntax" ? "    const ((\n" : "";
    const line = `    ctx.log.info(${JSON.stringify(this.marker)});\n${wrong}${open}`;
    return replaced(this.#original.controller, /( {2}async reconcile\([^\n]*\n)/, `$1${line}`);
  }

  #webhook(): string {
    const text = replaced(this.#original.webhook, "failurePolicy=fail", `failurePolicy=${this.failurePolicy}`);
    const signature = /( {2}async default\(ctx: Context, (\w+): \w+\)[^\n]*\n)/;
    const annotations = `{ ...$2.metadata?.annotations, edit: ${JSON.stringify(this.marker)} }`;
    return replaced(text, signature, `$1    $2.metadata = { ...$2.metadata, annotations: ${annotations} };\n`);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}

function replaced(text: string, from: string | RegExp, to: string): string {
  const changed = text.replace(from, to);
  if (!(typeof from === "string" ? text.includes(from) : from.test(text))) {
    throw new Error(`the example doesn't contain ${from}`);
  }
  return changed;
}
