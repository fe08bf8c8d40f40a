import type { Applied, Logs } from "@kubewright/dashboard/protocol";
import { commandOutput, runCommand } from "./command.ts";
import { Failure, failureOf } from "./failure.ts";
import { flag, integer, list, objectSchema, oneOf, outputSchema, text, word } from "./schemas.ts";
import type { PublicStatus } from "./session.ts";
import { detailOf, objectWord, targetWords } from "./target.ts";
import type { Call, Services, Tool, ToolResult } from "./tool.ts";
import { wait } from "./wait.ts";

const objectText = { ...word, description: "KIND/NAME, such as game/chess or games.example.com/chess" };
const target = { object: objectText, "namespace?": word };
const none = objectSchema({}, { closed: true });
const hidden = ["kubeconfig", "url"];

/** Returns the tools that use the running session, and those that run the project's code. */
export function sessionTools(packageRoot: string): readonly Tool[] {
  const status = outputSchema(packageRoot, "dev status", hidden);
  const asked = (name: string, title: string, description: string, words: string): Tool => ({
    ...{ name, title, description, input: none, output: outputSchema(packageRoot, words), readOnly: true },
    run: (call, services) => ask(services, call, [...words.split(" ")]),
  });
  const about = (name: string, title: string, description: string, words: string): Tool => ({
    ...{ name, title, description, output: outputSchema(packageRoot, words), readOnly: true },
    input: objectSchema({ ...target, "limit?": { ...integer(1, 100), default: 5 } }, { closed: true }),
    run: (call, services) =>
      ask(services, call, [...words.split(" "), ...targetWords(call), `--limit=${call.args.limit ?? 5}`]),
  });
  return [
    {
      name: "dev_start",
      title: "Start scaffold dev",
      description:
        "Starts the operator with an API server on this machine, unless a session runs. Runs the project's code. A session that this tool starts ends with the server.",
      input: objectSchema(
        { "reset?": { ...flag, default: false, description: "remove the objects of the last session" } },
        { closed: true },
      ),
      output: status,
      async run({ args, signal }, { session }) {
        return statusResult(await session.start(args.reset === true, signal));
      },
    },
    {
      name: "dev_stop",
      title: "Stop scaffold dev",
      description: "Ends the session that dev_start has started. Doesn't end a session of the person.",
      input: none,
      output: objectSchema({ stopped: flag }),
      async run(_call, { session }) {
        const stopped = await session.stop();
        return { data: { stopped }, text: stopped ? "stopped" : "this server has started no session" };
      },
    },
    {
      name: "dev_status",
      title: "Show the session",
      description: "Shows cluster, manager and errors of the running session.",
      input: none,
      output: status,
      readOnly: true,
      run: async (_call, { session }) => statusResult(await session.status()),
    },
    asked(
      "dev_objects",
      "List objects",
      "Lists the objects of the project's kinds and everything that belongs to them.",
      "dev objects",
    ),
    asked(
      "dev_queue",
      "Show the queues",
      "Shows the queues of the controllers: waiting, in progress, and delayed.",
      "dev queue",
    ),
    about(
      "dev_why",
      "Explain reconciles",
      "Shows why an object was reconciled, and what the reconciles read and wrote.",
      "dev why",
    ),
    about(
      "dev_timeline",
      "Show a timeline",
      "Shows what happened to an object: changes, reconciles, events and admission.",
      "dev timeline",
    ),
    {
      name: "dev_object",
      title: "Show an object",
      description: "Returns the YAML of an object, its events and its revisions as diffs.",
      input: objectSchema(target, { closed: true }),
      output: objectSchema({
        yaml: text,
        events: list({ type: "object" }),
        ready: {},
        revisions: list({ type: "object" }),
      }),
      readOnly: true,
      async run(call, { session }) {
        const { yaml, events, revisions, summary } = await detailOf(await session.open(), call);
        return { data: { yaml, events, ready: summary.ready, revisions }, text: yaml };
      },
    },
    {
      name: "dev_wait",
      title: "Wait for an object",
      description: "Waits until the controllers are done with an object (settled), or until it is ready or deleted.",
      input: objectSchema(
        { ...target, until: oneOf("settled", "ready", "deleted"), "seconds?": { ...integer(1, 60), default: 10 } },
        { closed: true },
      ),
      output: objectSchema({
        met: flag,
        reconciles: { type: "integer" },
        errors: list(text),
        "object?": { type: "object" },
      }),
      readOnly: true,
      run: wait,
    },
    {
      name: "dev_logs",
      title: "Show the log",
      description: "Returns the last lines of the manager's log.",
      input: objectSchema(
        { "lines?": { ...integer(1, 1000), default: 50 }, "level?": oneOf("debug", "info", "warn", "error") },
        { closed: true },
      ),
      output: objectSchema({ lines: list(text) }),
      readOnly: true,
      async run({ args: { lines: count = 50, level } }, { session }) {
        const limit = level === undefined ? String(count) : "1000";
        const { lines } = await (await session.open()).get<Logs>("/api/logs", { limit });
        const chosen = lines.filter((line) => level === undefined || levelOf(line) === level).slice(-Number(count));
        return { data: { lines: chosen }, text: chosen.join("\n") };
      },
    },
    {
      name: "dev_apply",
      title: "Apply objects",
      description: "Applies YAML documents in the session's cluster (server-side apply).",
      input: objectSchema({ yaml: text }, { closed: true }),
      output: objectSchema({ objects: list({ type: "object" }) }),
      async run({ args: { yaml } }, { session }) {
        if (String(yaml).includes("(hidden)")) {
          throw new Failure(
            "hidden-value",
            "the document contains (hidden), which replaces values of Secrets",
            "remove the field, so that it keeps its value",
          );
        }
        const { objects } = await (await session.open()).post<Applied>("/api/apply", { yaml });
        return {
          data: { objects },
          text: objects.map(({ kind, name, action }) => `${kind}/${name} ${action}`).join("\n"),
        };
      },
    },
    {
      name: "dev_delete",
      title: "Delete an object",
      description: "Deletes an object of the session's cluster, to see how the operator reacts.",
      input: objectSchema(target, { closed: true }),
      output: objectSchema({}),
      destructive: true,
      async run(call, services) {
        const { text: printed } = await ask(services, call, ["dev", "delete", ...targetWords(call)]);
        return { data: {}, text: printed };
      },
    },
    {
      name: "dev_reconcile",
      title: "Reconcile an object",
      description: "Reconciles an object now.",
      input: objectSchema({ ...target, "controller?": word }, { closed: true }),
      output: outputSchema(packageRoot, "dev reconcile"),
      run(call, services) {
        const { controller } = call.args;
        const flags = controller === undefined ? [] : [`--controller=${String(controller)}`];
        return ask(services, call, ["dev", "reconcile", ...targetWords(call), ...flags]);
      },
    },
    {
      name: "dev_fault",
      title: "Inject a fault",
      description: "Lets something fail, to see the error paths. clear ends all faults.",
      input: objectSchema(
        {
          "fault?": oneOf("conflict", "unavailable", "watch-cut", "webhook-down", "pod-fails"),
          ...{ "clear?": flag, "count?": integer(1, 1000), "kind?": word, "seconds?": integer(1, 1000), "pod?": word },
        },
        { closed: true },
      ),
      output: outputSchema(packageRoot, "dev fault"),
      run: (call, services) => ask(services, call, ["dev", "fault", ...faultWords(call.args)]),
    },
    {
      name: "simulate",
      title: "Simulate the operator",
      description:
        "Runs the simulations of the project under schedules with faults, and returns the broken invariants. Runs the project's code.",
      input: objectSchema(
        {
          "seconds?": { ...integer(1, 300), default: 20 },
          "seeds?": integer(1, 100_000),
          "seed?": integer(0, Number.MAX_SAFE_INTEGER),
          "faults?": { ...list(word), maxItems: 100 },
        },
        { closed: true },
      ),
      output: outputSchema(packageRoot, "simulate"),
      async run({ args: { seconds = 20, seeds, seed, faults }, signal }, { place }) {
        const amount =
          seed !== undefined ? `--seed=${seed}` : seeds !== undefined ? `--seeds=${seeds}` : `--for=${seconds}s`;
        const names = Array.isArray(faults) && faults.length > 0 ? [`--faults=${faults.join(",")}`] : [];
        const { json, text: printed } = await runCommand(place, ["simulate", amount, ...names], signal);
        if (!("findings" in json)) throw failureOf(json.diagnostics);
        return { data: json, text: printed };
      },
    },
    {
      name: "plan",
      title: "Plan changes of a cluster",
      description:
        "Shows what the operator would change in the cluster of the session, or of an allowed context. Runs the project's code; each write is a dry run.",
      input: objectSchema({ "object?": objectText, "context?": word }, { closed: true }),
      output: outputSchema(packageRoot, "plan"),
      openWorld: true,
      async run({ args: { object, context }, signal }, { place, session }) {
        if (context !== undefined) session.checkContext(String(context));
        else await session.open();
        const cluster = context === undefined ? "--dev" : `--context=${String(context)}`;
        const { json, text: printed } = await runCommand(
          place,
          ["plan", cluster, ...(object === undefined ? [] : [objectWord(object)])],
          signal,
        );
        if (!("changes" in json)) throw failureOf(json.diagnostics);
        return { data: json, text: printed };
      },
    },
  ];
}

function statusResult(status: PublicStatus): ToolResult {
  const { manager, engine, errors } = status;
  const lines = errors.map(
    ({ phase, message, file, line }) => `error in ${phase}: ${file ?? ""}${line ? `:${line}` : ""} ${message}`,
  );
  return { data: status, text: [`cluster ${engine}, manager ${manager.state}`, ...lines].join("\n") };
}

/** Runs a subcommand of `scaffold dev` for the running session. */
async function ask({ place, session }: Services, { signal }: Call, argv: readonly string[]): Promise<ToolResult> {
  await session.open();
  const { json, text: printed } = await commandOutput(place, argv, signal);
  return { data: json, text: printed };
}

function faultWords({ fault, clear, pod, ...numbers }: Call["args"]): string[] {
  if (clear === true) return ["clear"];
  if (fault === undefined)
    throw new Failure("usage", "fault or clear is required", 'for example: {"fault": "conflict"}');
  if (fault === "pod-fails") return ["pod-fails", /^[\w.-]+(\/[\w.-]+)?$/.test(String(pod)) ? String(pod) : ""];
  const flags = ["count", "kind", "seconds"].filter((name) => numbers[name] !== undefined);
  return [String(fault), ...flags.map((name) => `--${name}=${String(numbers[name])}`)];
}

function levelOf(line: string): string {
  try {
    return String((JSON.parse(line) as { level?: unknown }).level);
  } catch {
    return /\b(DEBUG|INFO|WARN|ERROR)\b/i.exec(line)?.[1]?.toLowerCase() ?? "info";
  }
}
