import { Secret } from "../../api/core/v1.ts";
import type { CertificatePair } from "../../certs/certificate-pair.ts";
import type { CertificateSource } from "../../certs/certificate-source.ts";
import type { Client, ObjectKey, Reader, Stored } from "../../client/client.ts";
import { type Clock, sleep } from "../../clock/clock.ts";
import { findApiError, isConflict, isNotFound } from "../../errors/predicates.ts";
import type { Logger } from "../../log/logger.ts";
import {
  type CABundleTarget,
  hostsOf,
  type Lifetimes,
  lifetimesOf,
  type SelfManagedCertificatesOptions,
} from "../options/self-managed.ts";
import { callsWebhooks, injectCABundle, readCABundle } from "./ca-bundle.ts";
import { renew } from "./renew.ts";
import {
  bundleOf,
  type CertificateData,
  type CertificateState,
  readAuthorities,
  readState,
  writeState,
} from "./state.ts";

export interface SelfManagedParts {
  options: SelfManagedCertificatesOptions;
  /** Reads from the API server. */
  reader: Reader;
  client: Client;
  /** Returns the names of the CRDs of kinds with a converter. */
  definitions: () => Promise<readonly string[]>;
  clock: Clock;
  /** Returns the time for the validity of certificates; the clock's by default. */
  now?: (signal: AbortSignal) => Promise<Date>;
  log: Logger;
}

const minute = 60_000;
/** Time in milliseconds until the first retry, doubled up to the regular interval. */
const firstRetry = 500;

/** Creates the source of the certificate that all replicas share in a Secret. Throws a `TypeError` for invalid durations. */
export function selfManaged(parts: SelfManagedParts): CertificateSource {
  const lifetimes = lifetimesOf(parts.options);
  return { watch: (signal, onRenewed) => new SelfManaged(parts, lifetimes, signal).start(onRenewed) };
}

class SelfManaged {
  readonly #parts: SelfManagedParts;
  readonly #lifetimes: Lifetimes;
  readonly #signal: AbortSignal;
  readonly #hosts: readonly string[];
  readonly #key: Required<ObjectKey>;
  readonly #interval: number;
  /** The state that was read or written last. It outlives the Secret. */
  #last: CertificateState | undefined;
  #failures = 0;
  /** Time from which this replica serves even if a target doesn't have the bundle. */
  readonly #serveAnywayAt: number;

  constructor(parts: SelfManagedParts, lifetimes: Lifetimes, signal: AbortSignal) {
    const { secret, interval = minute } = parts.options;
    this.#parts = parts;
    this.#lifetimes = lifetimes;
    this.#signal = signal;
    this.#hosts = hostsOf(parts.options);
    this.#key = { name: "webhook-server-cert", ...secret };
    this.#interval = Math.min(interval, lifetimes.overlap / 4);
    this.#serveAnywayAt = parts.clock.now() + this.#interval;
  }

  /** Rejects only if the signal aborts before there is a certificate that API servers trust. */
  async start(onRenewed: (pair: CertificatePair) => void): Promise<CertificatePair> {
    let pair = await this.#look();
    while (!pair) {
      await this.#rest();
      this.#signal.throwIfAborted();
      pair = await this.#look();
    }
    void this.#keep(pair, onRenewed);
    return pair;
  }

  async #keep(first: CertificatePair, onRenewed: (pair: CertificatePair) => void): Promise<void> {
    let served = first;
    for (;;) {
      await this.#rest();
      if (this.#signal.aborted) return;
      const pair = await this.#look();
      if (!pair || pair.cert === served.cert) continue;
      served = pair;
      this.#parts.log.info("Updated current TLS certificate", { secret: this.#key });
      onRenewed(pair);
    }
  }

  #rest(): Promise<void> {
    const wait = this.#failures > 0 ? firstRetry * 2 ** (this.#failures - 1) : this.#interval;
    return sleep(this.#parts.clock, Math.min(wait, this.#interval), this.#signal);
  }

  /**
   * Brings the Secret and the bundles up to date. Returns the pair to serve; `undefined`, with a log line, if that failed.
   *
   * At the start, every target must have the bundle before the pair is served, because API servers would not trust it. After
   * {@link #serveAnywayAt}, a target that can't be written (deleted, or without permission) no longer stops the others.
   */
  async #look(): Promise<CertificatePair | undefined> {
    try {
      const { targets, missing } = await this.#targets();
      const { authorities, serving } = await this.#share(targets);
      const isInjected = await this.#injectAll(targets, bundleOf(authorities));
      const isComplete = isInjected && !missing;
      this.#failures = isComplete ? 0 : this.#failures + 1;
      return isComplete || this.#parts.clock.now() >= this.#serveAnywayAt ? serving : undefined;
    } catch (error) {
      if (this.#signal.aborted) return undefined;
      this.#failures++;
      const { log } = this.#parts;
      const secret = this.#key;
      if (isConflict(error)) log.debug("Another replica has already updated the webhook certificate", { secret });
      else log.error(error, "Unable to keep the webhook certificate up to date", { secret });
      return undefined;
    }
  }

  /** Returns the state that the Secret finally contains: the one of this process, or of another replica. */
  async #share(targets: readonly CABundleTarget[]): Promise<CertificateState> {
    const { client, clock, log, now = async () => clock.date() } = this.#parts;
    const signal = this.#signal;
    const secret = await this.#read();
    const stored = readState((secret.data ?? {}) as CertificateData);
    // If the Secret was emptied or recreated, it gets the state that API servers and other replicas use.
    const shared = stored.authorityKey ? stored : (this.#last ?? (await this.#withTrusted(stored, targets)));
    const next = await renew(shared, this.#hosts, await now(signal), this.#lifetimes);
    if (next !== stored) {
      await client.update({ ...secret, data: { ...secret.data, ...writeState(next) } }, { signal });
      const { serving, authorities } = next;
      const notAfter = serving && new Date(serving.issued.to).toISOString();
      log.info("Renewed the webhook certificate", { secret: this.#key, notAfter, authorities: authorities.length });
    }
    this.#last = next;
    return next;
  }

  /** Keeps CAs that API servers trust for a while, since other replicas, or earlier cert-manager, can still use them. */
  async #withTrusted(state: CertificateState, targets: readonly CABundleTarget[]): Promise<CertificateState> {
    const { reader } = this.#parts;
    const bundles = await Promise.allSettled(targets.map((target) => readCABundle(reader, target, this.#signal)));
    this.#signal.throwIfAborted();
    // A target that can't be read is reported when the bundle is injected.
    const readable = bundles.map((bundle) => (bundle.status === "fulfilled" ? bundle.value : ""));
    const authorities = readAuthorities([bundleOf(state.authorities), ...readable].join("\n"));
    return { ...state, authorities };
  }

  /** Returns the objects through which API servers find the webhooks, and whether some could not be looked up. */
  async #targets(): Promise<{ targets: readonly CABundleTarget[]; missing: boolean }> {
    const { options, definitions, reader } = this.#parts;
    const { caBundleTargets, convertedKinds = false } = options;
    if (!convertedKinds) return { targets: caBundleTargets, missing: false };
    const named = (await definitions()).map((name) => ({ kind: "CustomResourceDefinition" as const, name }));
    const unnamed = named.filter(({ name }) => !caBundleTargets.some((target) => target.name === name));
    let missing = false;
    const called = await Promise.all(
      unnamed.map((target) =>
        callsWebhooks(reader, target, this.#signal).catch((error: unknown) => {
          this.#report(error, target);
          missing = true;
          return false;
        }),
      ),
    );
    return { targets: [...caBundleTargets, ...unnamed.filter((_, at) => called[at])], missing };
  }

  /** Writes the bundle into every target. Returns whether all of them have it. */
  async #injectAll(targets: readonly CABundleTarget[], bundle: string): Promise<boolean> {
    let isComplete = true;
    for (const target of targets) {
      try {
        if (await injectCABundle(this.#parts, target, bundle, this.#signal)) {
          this.#parts.log.info("Injected the CA bundle", { kind: target.kind, name: target.name });
        }
      } catch (error) {
        this.#report(error, target);
        isComplete = false;
      }
    }
    return isComplete;
  }

  #report(error: unknown, { kind, name }: CABundleTarget): void {
    this.#signal.throwIfAborted();
    const { log } = this.#parts;
    if (isConflict(error)) log.debug("Another replica has already updated the CA bundle", { kind, name });
    else log.error(error, "Unable to inject the CA bundle", { kind, name });
  }

  async #read(): Promise<Stored<Secret>> {
    const { namespace, name } = this.#key;
    try {
      return await this.#parts.reader.get(Secret, this.#key, { signal: this.#signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const command = `kubectl create secret generic ${name} --namespace ${namespace}`;
      throw new Error(`${findApiError(error)?.message}: create it empty: ${command}`, { cause: error });
    }
  }
}
