import { describeChild, type Reported } from "./report.ts";
import type { Run } from "./run.ts";
import type { ChildAction } from "./types.ts";

const reasons: Partial<Record<ChildAction, readonly [type: "Normal" | "Warning", reason: string, verb: string]>> = {
  created: ["Normal", "ChildCreated", "Created"],
  configured: ["Normal", "ChildConfigured", "Configured"],
  recreated: ["Normal", "ChildRecreated", "Recreated"],
  pruned: ["Normal", "ChildPruned", "Deleted"],
  blocked: ["Warning", "ChildBlocked", ""],
  contested: ["Warning", "ChildContested", ""],
  failed: ["Warning", "ChildFailed", ""],
};

/** Records events of the owner, and logs what a person should see. */
export function recordEvents(run: Run, children: readonly Reported[]): void {
  for (const child of children) {
    const [type, reason, verb] = reasons[child.action] ?? [];
    if (!type || !reason) continue;
    const { kind, namespace, name, object, message = "" } = child;
    const note = verb ? `${verb} ${kind} ${name}` : describeChild(child);
    run.link?.recorder?.event(run.set.owner, type, reason, note.slice(0, 1_024), object ? { related: object } : {});
    if (type === "Warning" && child.action !== "failed") {
      run.ctx.log.warn(`Child is ${child.action}`, { child: child.child, kind, namespace, name, reason: message });
    }
  }
}
