import { createHash } from "node:crypto";
import { allExist, applyDefinitions, applyDocuments, failures } from "./apply.ts";
import type { KubeClient } from "./kube-client.ts";
import { readDefinitions, readDocuments, sampleDirectory } from "./manifests.ts";
import type { DevEventBody, DevProblem, ErrorPhase } from "./protocol.ts";

/** The session that applies the objects. */
export interface ProjectObjectsHost {
  readonly root: string;
  client(): KubeClient;
  emit(event: DevEventBody): void;
  report(phase: ErrorPhase, problems: readonly DevProblem[]): void;
}

/** Applies the CRDs and the samples of a project, and reports what changed and what failed. */
export class ProjectObjects {
  readonly #host: ProjectObjectsHost;
  #appliedCrds = "";
  /** Names of the project's CRDs, when they were applied last. */
  #names: readonly string[] = [];

  constructor(host: ProjectObjectsHost) {
    this.#host = host;
  }

  /** Applies the CRDs if they changed since the last time, or if one was deleted. */
  async applyCrds(): Promise<void> {
    const { root, client, emit, report } = this.#host;
    const { documents, problems } = readDefinitions(root);
    const key = createHash("sha256").update(JSON.stringify(documents)).digest("hex");
    const failed: DevProblem[] = problems.map(({ file, message }) => ({ phase: "apply", message, file }));
    const isDue = key !== this.#appliedCrds || !(await allExist(client(), documents));
    if (isDue && documents.length > 0) {
      const applied = await applyDefinitions(client(), documents);
      emit({ event: "applied", objects: applied });
      failed.push(...failures(applied));
      if (failed.length === 0) this.#appliedCrds = key;
    }
    // A file that can't be read may contain one.
    if (problems.length === 0) this.#noteRemoved(documents.map(({ metadata }) => metadata?.name ?? ""));
    report("apply", failed);
  }

  /** A CRD without a type stays in the cluster, because its objects would be deleted with it: a branch can be switched back. */
  #noteRemoved(names: readonly string[]): void {
    for (const name of this.#names.filter((one) => !names.includes(one))) {
      const message = `CustomResourceDefinition ${name} isn't in the project any longer, but stays in the cluster with its objects. To delete them: kubectl delete crd ${name}`;
      this.#host.emit({ event: "note", message });
    }
    this.#names = names;
  }

  /** Applies the samples. */
  async applySamples(): Promise<void> {
    const { root, client, emit, report } = this.#host;
    const { documents, problems } = readDocuments(root, sampleDirectory);
    const applied = await applyDocuments(client(), documents);
    emit({ event: "applied", objects: applied });
    report("apply", [
      ...problems.map(({ file, message }): DevProblem => ({ phase: "apply", message, file })),
      ...failures(applied),
    ]);
  }
}
