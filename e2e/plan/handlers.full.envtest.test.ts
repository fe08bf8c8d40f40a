// Handlers that take longer, in a plan.
import { expect, it } from "vitest";
import { labelsOf, usePlanServer } from "./plan-server.ts";

const server = usePlanServer();

const mapped = (body: string) => ({
  builder: `.watches(ConfigMap, runtime.enqueueRequestsFromMapFunc(async (_, { metadata }) => {
    if (metadata.name === "made") { ${body} }
    return metadata.name === "stored" ? [{ namespace: "default", name: "absent" }] : [];
  }))`,
});

it("a handler that never ends exceeds the time limit, once", async () => {
  const { changes, failed } = await server.plan(`if (name === "first") await client.create(configMap("made", {}));`, {
    timeout: 2000,
    ...mapped("await new Promise(() => {});"),
  });
  expect(labelsOf(changes)).toEqual(["create ConfigMap made"]);
  expect(failed).toMatchObject([{ phase: "timeout", message: "the handlers of events took more than 2000 ms" }]);
});

it("handlers that wait for something else are done before the next reconciles, and their errors are listed", async () => {
  const { changes, failed } = await server.plan(
    `await client.create(configMap(name === "first" ? "made" : "for-" + name, {}));`,
    mapped(`
    await new Promise((resolve) => setTimeout(resolve, 300));
    return [{ namespace: "default", name: "late" }];`),
  );
  expect(failed).toEqual([]);
  expect(labelsOf(changes)).toEqual([
    "create ConfigMap for-absent",
    "create ConfigMap for-late",
    "create ConfigMap made",
  ]);
  for (const thrown of ["", "await 1;"]) {
    const { failed } = await server.plan(
      `if (name === "first") await client.create(configMap("made", {}));`,
      mapped(`${thrown} throw new Error("no map");`),
    );
    expect(failed).toMatchObject([
      { phase: "reconcile", object: { kind: "ConfigMap", name: "made" }, message: "no map" },
    ]);
  }
});
