import { expect } from "vitest";
import type { KubernetesObject } from "../../src/api/index.ts";
import type { Client } from "../../src/client/client.ts";
import { rawPatch } from "../../src/client/patch.ts";
import type { Config } from "../../src/config/config.ts";
import type { TestEnvironment } from "../../src/envtest/index.ts";
import { eventually, Widget, widget } from "../../src/manager/widget.fixture.ts";
import { HttpProxy } from "./http-proxy.ts";
import { type RunningOperator, startOperator } from "./operator.ts";

/** An operator in its own namespace, behind its own proxy. Many scenes can share one server. */
export interface Scene {
  namespace: string;
  proxy: HttpProxy;
  operator: RunningOperator;
  /** A client that bypasses the proxy. */
  client: Client;
  /** Creates a Widget or changes its color, bypassing the proxy. */
  paint(name: string, color: string): Promise<void>;
  /** Waits until the status of a Widget contains this color. */
  reconciled(name: string, color: string): Promise<void>;
  /** Returns warnings and errors about the Widgets' informer. */
  trouble(): (string | undefined)[];
}

// Time limit in milliseconds: many times the duration on an idle machine.
const busy = 30_000;

export interface SceneOptions {
  environment: TestEnvironment;
  client: Client;
  namespace: string;
  /** Credentials of the operator, instead of those of the proxy. */
  access?: Partial<Config>;
}

/** Runs a test in a scene. At its start, the operator has reconciled a first Widget. */
export async function inScene(
  { environment, client, namespace, access }: SceneOptions,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } } as KubernetesObject);
  const proxy = await HttpProxy.start({ upstream: environment.config, passCredentials: access !== undefined });
  const operator = await startOperator(
    { ...proxy.config, ...access },
    { cache: { defaultNamespaces: { [namespace]: {} } } },
  );
  const colors = new Map<string, string>();
  const scene: Scene = {
    namespace,
    proxy,
    operator,
    client,
    async paint(name, color) {
      const isColor = colors.has(name);
      colors.set(name, color);
      if (!isColor) {
        await client.create(widget(name, color, namespace));
        return;
      }
      // An update could conflict, because the operator can write the status between its read and its write.
      await client.patch(widget(name, color, namespace), rawPatch("application/merge-patch+json", { spec: { color } }));
    },
    reconciled: (name, color) =>
      eventually(async () => expect((await client.get(Widget, { namespace, name })).status?.color).toBe(color), busy),
    trouble: () =>
      operator.lines
        .filter(({ level, kind }) => (level === "warn" || level === "error") && kind === "Widget")
        .map(({ error }) => error),
  };
  try {
    await scene.paint("first", "red");
    await scene.reconciled("first", "red");
    await play(scene);
  } finally {
    await operator.stop();
    await proxy.close();
  }
}
