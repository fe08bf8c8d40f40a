// Many random edits under `scaffold dev`: after each, the cluster serves the current types, and the current code runs or an
// error is shown. KUBEWRIGHT_DEV_EDITS sets the number, KUBEWRIGHT_DEV_SEED the sequence, KUBEWRIGHT_DEV_LIMIT=1000 a limit of
// the time.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { Dev, gameProject, processesWith } from "./dev-session.ts";
import { send } from "./requests.ts";

const edits = Number(process.env.KUBEWRIGHT_DEV_EDITS ?? 120);
const seed = Number(process.env.KUBEWRIGHT_DEV_SEED ?? 1);
/** Milliseconds from a save to its effect, for 95 of 100 edits: on a machine that has nothing else to do. */
const limit = Number(process.env.KUBEWRIGHT_DEV_LIMIT ?? 0);
const types = "api/v1/game-types.ts";
const controller = "src/controller/game-controller.ts";

/** Returns numbers in [0, 1), always the same. */
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The project as it should be. */
interface State {
  marker: string;
  fields: Map<string, { type: string; minimum?: number }>;
  broken: "" | "types" | "syntax";
}

it(`serves the current types and runs the current code after each of ${edits} edits (seed ${seed})`, async () => {
  const root = await gameProject();
  const original = {
    types: readFileSync(join(root, types), "utf8"),
    controller: readFileSync(join(root, controller), "utf8"),
  };
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const state: State = { marker: "marker 0", fields: new Map(), broken: "" };

  const typesText = () => {
    const fields = [...state.fields].map(
      ([name, { type, minimum }]) =>
        `  /** A field. */\n${minimum === undefined ? "" : `  // +kubebuilder:validation:Minimum:=${minimum}\n`}  ${name}?: ${type};\n\n`,
    );
    return original.types.replace("  /** Docker image name */", `${fields.join("")}  /** Docker image name */`);
  };
  const controllerText = () => {
    const wrong = { "": "", types: "    const wrong: number = req.name;\n", syntax: "    const ((\n" }[state.broken];
    const line = `    ctx.log.info(${JSON.stringify(state.marker)});\n${wrong}`;
    return original.controller.replace(/( {2}async reconcile\([^\n]*\n)/, `$1${line}`);
  };
  const save = () => {
    writeFileSync(join(root, types), typesText());
    writeFileSync(join(root, controller), controllerText());
  };
  let number = 0;
  const actions: Record<string, () => void> = {
    code: () => {
      state.marker = `marker ${number}`;
      writeFileSync(join(root, controller), controllerText());
    },
    field: () => {
      state.fields.set(
        `field${Math.floor(random() * 5)}`,
        pick([{ type: "string" }, { type: "Int32" }, { type: "boolean" }]),
      );
      writeFileSync(join(root, types), typesText());
    },
    marker: () => {
      state.fields.set("limited", { type: "Int32", minimum: Math.floor(random() * 100) });
      writeFileSync(join(root, types), typesText());
    },
    removeField: () => {
      state.fields.delete(pick(["limited", "field0", "field1", "field2", "field3", "field4"]));
      writeFileSync(join(root, types), typesText());
    },
    typeError: () => {
      state.broken = "types";
      writeFileSync(join(root, controller), controllerText());
    },
    syntaxError: () => {
      state.broken = "syntax";
      writeFileSync(join(root, controller), controllerText());
    },
    // As editors do: the file is gone for a moment.
    replaced: () => {
      state.marker = `marker ${number}`;
      rmSync(join(root, controller));
      writeFileSync(join(root, controller), controllerText());
    },
    sample: () => writeFileSync(join(root, `config/samples/extra-${number % 3}.yaml`), "# nothing\n"),
    // A branch with 50 other files, and with other types and code.
    branch: () => {
      mkdirSync(join(root, "src/extra"), { recursive: true });
      for (let index = 0; index < 50; index++)
        writeFileSync(join(root, `src/extra/file${index}.ts`), `export const value${index} = ${number};\n`);
      state.fields = new Map([[`branch${number % 4}`, { type: "string" }]]);
      state.marker = `marker ${number}`;
      state.broken = "";
      save();
    },
  };

  save();
  const dev = new Dev(root);
  try {
    const ready = await dev.event("ready");
    const transport = createTransport(loadConfig({ kubeconfig: String(ready.kubeconfig) }));
    const { url, token } = JSON.parse(readFileSync(join(root, ".kubewright/dev/session.json"), "utf8")) as {
      url: string;
      token: string;
    };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const served = async () => {
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/games.myapp.qingwave.github.io";
      const { spec } = (await transport.request({ method: "GET", path })).body as {
        spec: {
          versions: {
            schema: {
              openAPIV3Schema: {
                properties: { spec: { properties: Record<string, { minimum?: number; type: string }> } };
              };
            };
          }[];
        };
      };
      const properties = spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {};
      return Object.entries(properties)
        .filter(([name]) => /^(field|limited|branch)/.test(name))
        .map(([name, { type, minimum }]) => `${name} ${type} ${minimum ?? ""}`)
        .sort();
    };
    const expected = () => {
      const names: Record<string, string> = { Int32: "integer", string: "string", boolean: "boolean" };
      return [...state.fields].map(([name, { type, minimum }]) => `${name} ${names[type]} ${minimum ?? ""}`).sort();
    };
    const body = JSON.stringify({ kind: "Game", namespace: "default", name: "game-sample" });
    const runs = async () => {
      await send(`${url}/api/reconcile`, { method: "POST", headers, body });
      const { body: text } = await send(`${url}/api/why?kind=Game&name=game-sample&limit=1`, { headers });
      return (
        (JSON.parse(text) as { reconciles: { logs: { message: string }[] }[] }).reconciles[0]?.logs.map(
          ({ message }) => message,
        ) ?? []
      );
    };
    const errors = async () =>
      (JSON.parse((await send(`${url}/api/status`, { headers })).body) as { errors: { phase: string }[] }).errors.map(
        ({ phase }) => phase,
      );

    const times: number[] = [];
    for (number = 1; number <= edits; number++) {
      const names = Object.keys(actions);
      const name = pick(state.broken === "" ? names : [...names, "fix", "fix", "fix", "fix"]);
      const started = Date.now();
      const before = dev.lines.length;
      const wasBroken = state.broken;
      if (name === "fix") {
        state.broken = "";
        save();
      } else actions[name]?.();
      const about = `edit ${number}: ${name}, ${JSON.stringify(state.broken)}`;
      await eventually(
        async () => {
          // A syntax error holds back the manifests, too.
          if (state.broken === "syntax") expect(await errors(), about).toContain("bundle");
          else {
            expect(await served(), about).toEqual(expected());
            if (state.broken === "types") expect(await errors(), about).toEqual(["types"]);
            else {
              expect(await errors(), about).toEqual([]);
              expect(await runs(), about).toContain(state.marker);
            }
          }
        },
        20_000,
        100,
      ).catch((error: unknown) => {
        throw new Error(
          `${about}\n${dev.lines
            .slice(before)
            .map((line) => JSON.stringify(line))
            .join("\n")}`,
          { cause: error },
        );
      });
      const effect = dev.lines
        .slice(before)
        .filter(({ event }) => ["applied", "started", "error"].includes(event))
        .at(0);
      if (effect && wasBroken === "" && name !== "branch") times.push(Date.parse(effect.time) - started);
    }
    times.sort((a, b) => a - b);
    const slow = times[Math.ceil(times.length * 0.95) - 1] ?? 0;
    console.log(
      `save to effect: ${times.length} edits, p50 ${times[Math.ceil(times.length / 2) - 1]} ms, p95 ${slow} ms`,
    );
    if (limit > 0) expect(slow).toBeLessThan(limit);
    await transport.close();
    dev.child.kill("SIGTERM");
    expect(await dev.ended).toBe(0);
    expect(await processesWith(root)).toEqual([]);
  } finally {
    await dev.remove();
  }
});
