import type { KubernetesObject } from "../../api/index.ts";
import { groupOf } from "../../api/kind.ts";
import type { CRD } from "../../manifests/crds.ts";
import { convertObject } from "../../webhook/conversion/convert.ts";
import type { ConverterRegistry } from "../../webhook/conversion/registry.ts";
import type { Timeline } from "../report/timeline.ts";
import { titleOf } from "./state.ts";

/**
 * Lets the server call this process for the conversions of all kinds with several versions: which of them have a converter is known
 * only when the operator runs.
 *
 * @param definitions - the definitions
 */
export function convertedInProcess(definitions: readonly CRD[]): CRD[] {
  return definitions.map((definition) => {
    if (definition.spec.versions.length < 2) return definition;
    const conversion = {
      strategy: "Webhook",
      webhook: { clientConfig: { url: "https://simulation.invalid/convert" }, conversionReviewVersions: ["v1"] },
    };
    return { ...definition, spec: { ...definition.spec, conversion } };
  });
}

/** A process of an operator, which may have ended or not be started. */
interface ConvertingProcess {
  readonly name: string;
  readonly actor: { readonly isEnded: boolean };
  readonly manager?: { readonly webhookServer: { readonly converters: ConverterRegistry } } | undefined;
}

/** The converters of a process. */
interface Chosen {
  readonly name: string;
  readonly converters: ConverterRegistry;
}

/** Converts custom resources with the converters of the operator, as the API server calls them. */
export class Conversions {
  readonly #timeline: Timeline;
  readonly #kinds: ReadonlySet<string>;
  /** The converters of the process that had some last. */
  #last: Chosen | undefined;
  #calls = 0;
  processes: readonly ConvertingProcess[] = [];
  /** Whether conversions aren't part of the run, such as those of a check. */
  isSilent = false;

  /**
   * @param timeline - receives the conversions
   * @param kinds - the kinds that a version of the operator converts, as `group/kind`
   */
  constructor(timeline: Timeline, kinds: ReadonlySet<string>) {
    this.#timeline = timeline;
    this.#kinds = kinds;
  }

  /**
   * Converts an object. If several versions of the operator run, each converts some of the objects.
   *
   * @param object - the object
   * @param apiVersion - the version to convert it to
   * @throws Error if the kind has a converter that isn't available
   */
  async convert(object: KubernetesObject, apiVersion: string): Promise<KubernetesObject> {
    const { name, converters } = this.#choose(object) ?? {};
    if (!converters || !name) {
      if (this.isMissing(groupOf(object.apiVersion), object.kind)) throw new Error("connection refused");
      return { ...object, apiVersion };
    }
    const { kind = "", metadata } = object;
    if (!this.isSilent) {
      const title = titleOf({ kind, namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" });
      const [from, to] = [object.apiVersion, apiVersion].map((one) => one?.split("/").at(-1));
      this.#timeline.add(name, "convert", title, "", `${from} → ${to}`);
    }
    return convertObject(converters, object, apiVersion);
  }

  /** Whether the converter of a kind isn't available at present, because no process has it yet. */
  isMissing(group: string, kind: string): boolean {
    return this.#kinds.has(`${group}/${kind}`) && !this.#choose({ apiVersion: `${group}/v1`, kind });
  }

  /** Returns the kinds of the converters of the processes, as `group/kind`. */
  get kinds(): string[] {
    const hubs = this.processes.flatMap(({ manager }) => [...(manager?.webhookServer.converters.hubs ?? [])]);
    return hubs.map(({ group, kind }) => `${group}/${kind}`);
  }

  #choose({ apiVersion = "", kind = "" }: KubernetesObject): Chosen | undefined {
    const group = groupOf(apiVersion);
    const able = this.processes.flatMap(({ name, manager, actor }) => {
      const converters = actor.isEnded ? undefined : manager?.webhookServer.converters;
      return converters?.find({ group, kind }) ? [{ name, converters }] : [];
    });
    if (able.length === 0) return this.#last?.converters.find({ group, kind }) ? this.#last : undefined;
    this.#last = able[this.#calls++ % able.length];
    return this.#last;
  }
}
