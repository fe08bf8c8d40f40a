import type { Faults, Link, Objects, Queues, Status, Timeline, Why } from "@kubewright/dashboard/protocol";
import type { Command } from "commander";
import type { RemoteSession } from "../../dev/remote.ts";
import { printable, shown } from "../../text/shown.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { withCliErrors } from "../framework/problems.ts";

/** An answer of the session: data for programs, and text for people. */
interface Answer {
  readonly data: object;
  readonly text: string;
}

interface Subcommand {
  readonly description: string;
  define?(program: Command): void;
  answer(session: RemoteSession, context: CommandContext): Promise<Answer>;
}

const objectArgument = (program: Command) =>
  program
    .argument("[object]", "the object: KIND/NAME, such as game/chess or games.example.com/chess")
    .option("-n, --namespace <namespace>", "its namespace; the default is any");

const limitOption = (program: Command, limit: number) =>
  program.option("--limit <number>", `maximum number of entries (${limit})`);

/** How many reconciles `scaffold dev why` shows by default. */
const latestReconciles = 10;

/** The object that `scaffold dev delete` has deleted. */
export interface DeletedObject {
  readonly kind: string;
  readonly name: string;
}

/** The controllers that `scaffold dev reconcile` has notified. */
export interface RequestedReconciles {
  readonly controllers: readonly string[];
}

/** The subcommands of `scaffold dev`, which use the running session of the project. */
const subcommands = {
  status: {
    description: "Show the running session: cluster, manager and errors.",
    async answer(session, context) {
      const status = await session.get<Status>("/api/status");
      const { statusText } = await import("../../dev/view/answers.ts");
      return { data: status, text: statusText(status, await paintOf(context)) };
    },
  },
  open: {
    description: "Print a new link to the dashboard of the running session, which works once. On a terminal, open it.",
    async answer(session, { globals, terminal }) {
      const link = await session.post<Link>("/api/link");
      if (terminal.hasKeys && !globals.json) {
        const { openBrowser } = await import("../../dev/view/open-browser.ts");
        openBrowser(link.url);
      }
      return { data: link, text: link.url };
    },
  },
  why: {
    description: "Show why an object was reconciled, and what the reconciles read and wrote. The latest is first.",
    define: (program) => void limitOption(objectArgument(program), latestReconciles),
    async answer(session, context) {
      const query = queryOf(context);
      const limit = Number(query.limit ?? latestReconciles);
      // The text leaves out reconciles that changed nothing, so it needs more of them.
      const needed = context.globals.json ? limit : Math.min(10 * limit, 1000);
      const why = await session.get<Why>("/api/why", { ...query, limit: String(needed) });
      const { whyText } = await import("../../dev/view/answers.ts");
      return { data: why, text: whyText(why, await paintOf(context), limit) };
    },
  },
  timeline: {
    description: "Show what happened to an object: changes, reconciles, events and admission requests.",
    define: (program) => void limitOption(objectArgument(program), 100),
    async answer(session, context) {
      const timeline = await session.get<Timeline>("/api/timeline", queryOf(context));
      const { timelineText } = await import("../../dev/view/answers.ts");
      return { data: timeline, text: timelineText(timeline, await paintOf(context)) };
    },
  },
  objects: {
    description: "List the objects of the project's kinds and everything that belongs to them, as trees.",
    async answer(session, context) {
      const objects = await session.get<Objects>("/api/objects");
      const { objectsText } = await import("../../dev/view/answers.ts");
      return { data: objects, text: objectsText(objects, await paintOf(context)) };
    },
  },
  queue: {
    description: "Show the queues of the controllers: waiting, in progress, and delayed with the next attempt.",
    async answer(session) {
      const queues = await session.get<Queues>("/api/queue");
      const { queueText } = await import("../../dev/view/answers.ts");
      return { data: queues, text: queueText(queues) };
    },
  },
  apply: {
    description: "Apply changes of CRDs that are withheld because stored fields would be lost.",
    define: (program) => void program.option("--accept-loss", "apply them with the loss"),
    async answer(session, { options }) {
      if (options.acceptLoss !== true) {
        throw usageError(
          "scaffold dev apply needs --accept-loss: all other changes are applied without it",
          "see npx scaffold dev status for what would be lost",
        );
      }
      await session.post("/api/accept-loss");
      return { data: {}, text: "applied" };
    },
  },
  reconcile: {
    description: "Reconcile an object now.",
    define: (program) =>
      void objectArgument(program).option("--controller <name>", "the controller; the default is all of the kind"),
    async answer(session, context) {
      const { controller } = context.options;
      const body = { ...objectOf(context), namespace: namespaceOf(context), controller };
      const answer = await session.post<RequestedReconciles>("/api/reconcile", body);
      return { data: answer, text: `requested: ${answer.controllers.join(", ")}` };
    },
  },
  delete: {
    description: "Delete an object, to see how the operator reacts. Its children are deleted in the background.",
    define: (program) => void objectArgument(program),
    async answer(session, context) {
      const object: DeletedObject = objectOf(context);
      await session.post("/api/delete", { ...object, namespace: namespaceOf(context) });
      return { data: object, text: `deleted ${printable(`${object.kind}/${object.name}`)}` };
    },
  },
  fault: {
    description:
      "Let something fail, to see the error paths: a conflict on the next write, the API server unavailable, watches cut, webhooks down, or a Pod. clear ends all faults, list shows them.",
    define: (program) =>
      void program
        .addArgument(
          program
            .createArgument("[fault]", "the fault")
            .choices(["conflict", "unavailable", "watch-cut", "webhook-down", "pod-fails", "list", "clear"]),
        )
        .argument("[name]", "the Pod of pod-fails: NAME or NAMESPACE/NAME")
        .option("--seconds <number>", "duration of unavailable and webhook-down (10)")
        .option("--count <number>", "number of writes that conflict (1)")
        .option("--kind <kind>", "only writes of this kind conflict"),
    async answer(session, context) {
      const faults = await inject(session, context);
      const { clock } = await import("../../dev/view/clock.ts");
      const lines = faults.faults.map(
        ({ fault, until, left, kind, namespace, name }) =>
          `${fault}${kind ? ` of ${kind}` : ""}${name ? ` ${printable(`${namespace}/${name}`)}` : ""}${until ? ` until ${clock(until)}` : ""}${left ? `, ${left} left` : ""}`,
      );
      return { data: faults, text: lines.join("\n") || "no fault is active" };
    },
  },
} satisfies Record<string, Subcommand>;

export type DevSubcommand = keyof typeof subcommands;

/** The words and descriptions of the subcommands. */
export const devSubcommands = Object.entries(subcommands).map(([value, { description }]) => ({ value, description }));

/** Returns a subcommand of `scaffold dev`. */
export function devSubcommand(name: DevSubcommand): CommandModule {
  const subcommand: Subcommand = subcommands[name];
  return {
    define(program) {
      program.description(subcommand.description);
      subcommand.define?.(program);
    },
    run: (context) => run(subcommand, context),
  };
}

async function run(subcommand: Subcommand, context: CommandContext): Promise<CommandResult> {
  const { RemoteSession } = await import("../../dev/remote.ts");
  const answer = () => subcommand.answer(new RemoteSession(context.cwd), context);
  const { data, text } = await withCliErrors(answer);
  return { exitCode: 0, output: text, data: { ...data } };
}

async function paintOf({ terminal }: CommandContext) {
  const { painter } = await import("../../dev/view/plain.ts");
  return painter(terminal.resultColor);
}

function objectOf({ args }: CommandContext): { kind: string; name: string } {
  const [kind = "", name = "", ...rest] = (args[0] ?? "").split("/");
  if (kind !== "" && name !== "" && rest.length === 0) return { kind, name };
  throw usageError(`${shown(args[0] ?? "")} isn't an object: it must be KIND/NAME`, "for example: game/chess");
}

function namespaceOf({ options }: CommandContext): string | undefined {
  return typeof options.namespace === "string" ? options.namespace : undefined;
}

function queryOf(context: CommandContext): Record<string, string | undefined> {
  const { limit } = context.options;
  if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(String(limit))) {
    throw usageError(`--limit ${shown(String(limit))}: must be a number from 1 to 1000`);
  }
  return {
    ...objectOf(context),
    namespace: namespaceOf(context),
    limit: limit === undefined ? undefined : String(limit),
  };
}

function numberOf(context: CommandContext, flag: "seconds" | "count"): number | undefined {
  const value = context.options[flag];
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/.test(String(value))) return Number(value);
  throw usageError(`--${flag} ${shown(String(value))}: must be a positive number`);
}

async function inject(session: RemoteSession, context: CommandContext): Promise<Faults> {
  const [fault = "", pod] = context.args;
  if (fault === "")
    throw usageError("scaffold dev fault needs a fault", "for example: npx scaffold dev fault conflict");
  if (fault === "list") return session.get("/api/faults");
  if (fault === "clear") return session.delete("/api/faults");
  if (fault !== "pod-fails") {
    const { kind } = context.options;
    const [seconds, count] = [numberOf(context, "seconds"), numberOf(context, "count")];
    return session.post("/api/faults", { fault, seconds, count, kind });
  }
  const [first = "", second] = (pod ?? "").split("/");
  if (first === "")
    throw usageError("pod-fails needs a Pod", "for example: npx scaffold dev fault pod-fails default/web-1");
  const [namespace, name] = second === undefined ? ["default", first] : [first, second];
  return session.post("/api/faults", { fault, namespace, name });
}
