import type { Project } from "../../project/project-file.ts";
import { type Fields, listOf, textOf } from "../../yaml/plain-values.ts";
import { buildKustomization, groupVersionOf, nameOf, openSources, type Resource } from "../kustomize/build/build.ts";
import { type Choices, type Conditions, conditionsOver } from "./conditions.ts";
import { isManager, managerContainer, type Ports, portsOf, withRolloutOf } from "./manager.ts";
import { mergeForms } from "./merge-builds.ts";
import { type Monitoring, monitoringObjects, monitoringOf, withoutMonitoring } from "./monitoring.ts";
import { type ChartObject, marks } from "./object.ts";
import { type Switch, switchedTexts, switchesOf } from "./switches.ts";

/** The input for rendering a chart. */
export interface ChartModel {
  readonly switches: readonly Switch[];
  readonly monitoring: Monitoring;
  readonly objects: readonly ChartObject[];
  readonly ports: Ports;
}

/**
 * Builds config/default under every choice of the project's switches, and merges the results. With each choice, the chart
 * therefore renders the output of kustomize. Only replicas and rollout of the manager are those of the current config/.
 *
 * @throws ProblemError if a kustomization can't be built
 */
export function readModel(project: Project, readAny: (path: string) => string | undefined): ChartModel {
  const readText = readOnce(withoutMonitoring(readAny));
  const sources = openSources(readText);
  const switches = switchesOf(project, readText);
  const conditions = conditionsOver(switches.map(({ value }) => `.Values.${value}`));
  const build = (on: ReadonlySet<string>): readonly Resource[] =>
    switches
      .filter(({ value }) => !on.has(value))
      .reduce<readonly Resource[]>(
        (resources, { without }) => without?.(resources) ?? resources,
        buildKustomization(sources.with(switchedTexts(switches, on, readText)), "config/default", marks),
      );
  const now = build(effective(switches, new Set(switches.filter(({ on }) => on).map(({ value }) => value))));
  const manager = now.find(isManager)?.object;
  const builds = new Map<string, readonly Resource[]>();
  const choose = (wanted: ReadonlySet<string>) => {
    const on = effective(switches, wanted);
    const key = [...on].join();
    const cached = builds.get(key);
    if (cached !== undefined) return cached;
    const resources = build(on).map((resource) =>
      manager !== undefined && isManager(resource)
        ? { ...resource, object: withRolloutOf(resource.object, manager) }
        : resource,
    );
    builds.set(key, resources);
    return resources;
  };
  const choices = Array.from({ length: conditions.count }, (_, choice) =>
    choose(new Set(switches.filter((_each, bit) => (choice >> bit) & 1).map(({ value }) => value))),
  );
  const built = objectsOf(choices, now, conditions);
  const services = built.filter(({ kind }) => kind === "Service").map(({ name }) => name);
  const objects = [...built, ...monitoringObjects(readAny, services)];
  const args = choices.flatMap((resources) =>
    resources.filter(isManager).flatMap(({ object }) => listOf(managerContainer(object).args).map(String)),
  );
  return { switches, monitoring: monitoringOf(readAny), objects, ports: portsOf(args) };
}

/** Reads each file once: each build needs the same kustomizations. */
function readOnce(readText: (path: string) => string | undefined): (path: string) => string | undefined {
  const texts = new Map<string, string | undefined>();
  return (path) => {
    if (!texts.has(path)) texts.set(path, readText(path));
    return texts.get(path);
  };
}

/** Returns the switches that are on and whose dependencies are on too. */
function effective(switches: readonly Switch[], wanted: ReadonlySet<string>): Set<string> {
  const on = new Set<string>();
  // Dependencies come first in the list.
  for (const { value, needs } of switches) {
    if (wanted.has(value) && needs.every((need) => on.has(need))) on.add(value);
  }
  return on;
}

function objectsOf(
  choices: readonly (readonly Resource[])[],
  now: readonly Resource[],
  conditions: Conditions,
): ChartObject[] {
  const byId = new Map<string, { readonly resource: Resource; readonly forms: { value: Fields; when: Choices }[] }>();
  for (const [choice, resources] of choices.entries()) {
    for (const resource of resources) {
      const key = keyOf(resource);
      const entry = byId.get(key) ?? { resource, forms: [] };
      byId.set(key, entry);
      const when = 1n << BigInt(choice);
      const same = entry.forms.find(({ value }) => value === resource.object);
      if (same === undefined) entry.forms.push({ value: resource.object, when });
      else same.when |= when;
    }
  }
  const current = new Map(now.map((resource) => [keyOf(resource), resource.object]));
  return [...byId].map(([key, { resource, forms }]) => ({
    origin: resource.origin,
    kind: textOf(resource.object.kind),
    name: nameOf(resource.object),
    when: conditions.of(
      forms.reduce((set, { when }) => set | when, 0n),
      conditions.all,
    ),
    node: mergeForms(forms, conditions),
    now: current.get(key),
    isManager: isManager(resource),
  }));
}

function keyOf({ object, origin }: Resource): string {
  return JSON.stringify([groupVersionOf(object)[0], object.kind, nameOf(object), origin]);
}
