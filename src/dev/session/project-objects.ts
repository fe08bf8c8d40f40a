import { createHash } from "node:crypto";
import { printYaml } from "@kubewright/cel/yaml";
import type { DevProblem, Engine } from "@kubewright/dashboard/protocol";
import { allExist, applyDefinitions, applyDocuments, deleteDocument, failures } from "../client/apply.ts";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import { readDefinitions, readDocuments, readPolicies, sampleDirectory } from "../client/manifests.ts";
import { isNamespace, missingNamespaces, namespaceNamed } from "../client/namespaces.ts";
import { storageProblem } from "../storage/storage-changes.ts";
import type { SessionEvents } from "../store/session-events.ts";

/** The parts of a session that apply the objects. */
export interface ProjectObjectsParts {
  readonly events: SessionEvents;
  readonly root: string;
  readonly engine: Engine;
  client(): KubeClient;
  /** Whether a manager serves the conversion of a CRD. */
  isConverted(definition: string): boolean;
}

/** Milliseconds after which withheld changes are compared with the stored objects again. */
const recheckTime = 2000;

/** Applies the CRDs and the samples of a project, and reports what changed and what failed. */
export class ProjectObjects {
  readonly #session: ProjectObjectsParts;
  #appliedCrds = "";
  #appliedPolicies = "";
  /** The project's policies, when they were applied last. */
  #policies: readonly KubeObject[] = [];
  #applying: Promise<unknown> = Promise.resolve();
  /** Compares the changes that were withheld again. */
  #recheck: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Names of the project's CRDs, when they were applied last. */
  #names: readonly string[] = [];

  /** @param session - the parts of the session */
  constructor(session: ProjectObjectsParts) {
    this.#session = session;
  }

  /**
   * Applies the CRDs if they changed since the last time, or if one was deleted. A change that would drop stored fields is
   * withheld until it is safe.
   */
  async applyCrds(): Promise<void> {
    await this.#next(false);
  }

  /** Ends the checks of withheld changes. */
  stop(): void {
    clearTimeout(this.#recheck);
    this.#isStopped = true;
  }

  /**
   * Applies the changes that were withheld, with the loss of stored fields.
   *
   * @throws Error if a CRD isn't applied: the answer must not claim that it is
   */
  async acceptLoss(): Promise<void> {
    const failed = await this.#next(true);
    if (failed.length > 0) throw new Error(failed.map(({ message }) => message).join("\n"));
  }

  /** One after the other: two could decide by different states of the cluster. */
  #next(acceptsLoss: boolean): Promise<readonly DevProblem[]> {
    const applied = this.#applying.catch(() => undefined).then(() => this.#applyCrds(acceptsLoss));
    this.#applying = applied;
    return applied;
  }

  /** Returns the problems that it has reported. */
  async #applyCrds(acceptsLoss: boolean): Promise<readonly DevProblem[]> {
    const { root, client, events } = this.#session;
    const { documents, problems } = readDefinitions(root);
    const key = createHash("sha256").update(printYaml(documents)).digest("hex");
    const failed: DevProblem[] = problems.map(({ file, message }) => ({ phase: "apply", message, file }));
    const isDue = key !== this.#appliedCrds || !(await allExist(client(), documents));
    if (isDue && documents.length > 0) {
      const safe = await this.#safe(documents, failed, acceptsLoss);
      const applied = await applyDefinitions(client(), safe);
      if (applied.length > 0) events.emit({ event: "applied", objects: applied });
      failed.push(...failures(applied));
      if (failed.length === 0) this.#appliedCrds = key;
    }
    failed.push(...(await this.#applyPolicies()));
    // A file that can't be read may contain one.
    if (problems.length === 0) this.#noteRemoved(documents.map(({ metadata }) => metadata?.name ?? ""));
    events.report("apply", failed);
    return failed;
  }

  /** Applies the admission policies if they changed, and deletes those that the project no longer has. Returns the problems. */
  async #applyPolicies(): Promise<readonly DevProblem[]> {
    const { root, client, events } = this.#session;
    const { documents, problems } = readPolicies(root);
    const failed: DevProblem[] = problems.map(({ file, message }) => ({ phase: "apply", message, file }));
    const key = createHash("sha256").update(printYaml(documents)).digest("hex");
    // A file that can't be read may contain them.
    if (problems.length > 0 || key === this.#appliedPolicies) return failed;
    const names = new Set(documents.map(nameOf));
    const removed = this.#policies.filter((policy) => !names.has(nameOf(policy)));
    for (const policy of removed) await deleteDocument(client(), policy);
    const applied = await applyDocuments(client(), documents);
    if (applied.length > 0) events.emit({ event: "applied", objects: applied });
    failed.push(...failures(applied));
    this.#policies = documents;
    if (failed.length === 0) this.#appliedPolicies = key;
    return failed;
  }

  /** Returns the CRDs that no stored object contradicts, and adds the problems of the others. */
  async #safe(
    documents: readonly KubeObject[],
    problems: DevProblem[],
    acceptsLoss: boolean,
  ): Promise<readonly KubeObject[]> {
    const { client, isConverted } = this.#session;
    const safe: KubeObject[] = [];
    for (const document of documents) {
      const converted = isConverted(document.metadata?.name ?? "");
      const problem = acceptsLoss ? undefined : await storageProblem(client(), document, converted);
      if (problem) problems.push(problem);
      else safe.push(document);
    }
    clearTimeout(this.#recheck);
    // Objects can change without an event of the session.
    if (safe.length < documents.length && !this.#isStopped) {
      this.#recheck = setTimeout(() => this.#again(), recheckTime).unref();
    }
    return safe;
  }

  #again(): void {
    this.applyCrds().catch(() => undefined);
  }

  /** A CRD without a type stays in the cluster, because its objects would be deleted with it: a branch can be switched back. */
  #noteRemoved(names: readonly string[]): void {
    for (const name of this.#names.filter((name) => !names.includes(name))) {
      const message = `CustomResourceDefinition ${name} isn't in the project any longer, but stays in the cluster with its objects. To delete them: kubectl delete crd ${name}`;
      this.#session.events.note(message);
    }
    this.#names = names;
  }

  /**
   * Applies the samples, namespaces first. Namespaces that they name and that don't exist are created, except in a cluster
   * that isn't the session's own.
   */
  async applySamples(): Promise<void> {
    const { root, engine, client, events } = this.#session;
    const { documents, problems } = readDocuments(root, sampleDirectory);
    const missing = await missingNamespaces(client(), documents);
    const isOwn = engine !== "cluster";
    const applied = await applyDocuments(client(), [
      ...(isOwn ? missing.map(namespaceNamed) : []),
      ...documents.filter(isNamespace),
      ...documents.filter((document) => !isNamespace(document)),
    ]);
    events.emit({ event: "applied", objects: applied });
    events.report("apply", [
      ...problems.map(({ file, message }): DevProblem => ({ phase: "apply", message, file })),
      ...failures(applied, missing),
    ]);
  }
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata?.name}`;
}
