// The deployment with --enable metrics-certs, without cert-manager.
import { expect, it } from "vitest";
import { readProject } from "../../project/project-file.ts";
import { openTree } from "../files/tree.ts";
import { buildKustomization, openSources } from "../kustomize/build/build.ts";
import { edit } from "../test-support/edit.ts";
import { createApi, createWebhook, initProject } from "../test-support/game.ts";
import { testDirectory } from "../test-support/tree.ts";
import { readModel } from "./model.ts";

// biome-ignore lint/suspicious/noExplicitAny: any kind of object.
type Manifest = any;

/**
 * Builds a project with webhooks, metrics-certs and Prometheus. Its CRD and its webhooks' configurations aren't
 * generated yet.
 */
async function deployed(webhookCerts: "self" | "files") {
  const root = testDirectory();
  await initProject(root, { webhookCerts });
  await createApi(root);
  await createWebhook(root, { defaulting: true });
  await edit(root, {}, undefined, { enable: ["prometheus", "metrics-certs"], disable: [] });
  const read = (path: string) =>
    /^config\/(crd\/bases|webhook\/manifests)/.test(path)
      ? "apiVersion: v1\nkind: List\nmetadata: {name: generated}\n"
      : openTree(root).readText(path);
  const objects: Manifest[] = buildKustomization(openSources(read), "config/default").map(({ object }) => object);
  const named = (kind: string, name: RegExp) =>
    objects.find((each) => each.kind === kind && name.test(each.metadata.name));
  const { metadata } = named("Service", /metrics-service$/);
  const [container] = named("Deployment", /manager$/).spec.template.spec.containers;
  const [endpoint] = named("ServiceMonitor", /./).spec.endpoints;
  const project = readProject(read("PROJECT") ?? "");
  if ("message" in project) throw new Error(project.message);
  const { switches } = readModel(project, read);
  return { service: metadata, container, endpoint, named, switches };
}

it("with self, the manager creates a certificate whose CA Prometheus reads from a Secret", async () => {
  const { service, container, endpoint, named, switches } = await deployed("self");
  expect(container.env).toContainEqual({ name: "METRICS_SERVICE", value: service.name });
  expect(container.volumeMounts).toEqual([]);
  const secret = named("Secret", /webhook-server-cert$/).metadata.name;
  expect(container.env).toContainEqual({ name: "WEBHOOK_CERT_SECRET", value: secret });
  expect(endpoint.tlsConfig).toEqual({
    serverName: `${service.name}.${service.namespace}.svc`,
    insecureSkipVerify: false,
    ca: { secret: { name: secret, key: "ca.crt" } },
  });
  const values = switches.map(({ value, on, needs }) => ({ value, on, needs }));
  const needs = ["webhook.enabled", "metrics.secure"];
  expect(values).toContainEqual({ value: "metrics.certificate", on: true, needs });
});

it("with files, the manager and Prometheus read the user's Secret", async () => {
  const { service, container, endpoint, switches } = await deployed("files");
  expect(container.args).toContain("--metrics-cert-path=/tmp/k8s-metrics-server/metrics-certs");
  expect(endpoint.tlsConfig).toMatchObject({
    serverName: `${service.name}.${service.namespace}.svc`,
    ca: { secret: { name: "metrics-server-cert", key: "ca.crt" } },
  });
  expect(switches.map(({ value }) => value)).toContain("metrics.certificate");
});
