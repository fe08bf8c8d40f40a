import { builtIn, type Verdict } from "../report/verdict.ts";
import { isEndpoints } from "./target.ts";

/** A part that the server of a run can lack: the owners of fields, or the endpoints of Services. */
export type ServerPart = "owners" | "endpoints";

/** Records which resources and parts of the server a run uses. */
export class Usage {
  readonly resources: Set<string> = new Set();
  /** Whether the scenario has used random numbers. */
  usesRandom = false;
  readonly #parts: Readonly<Record<ServerPart, boolean>>;
  readonly #verdict: Verdict;
  #needs: ServerPart | undefined;

  /**
   * @param parts - whether the server has each part
   * @param verdict - ends the run when something uses a part that the server lacks
   */
  constructor(parts: Readonly<Record<ServerPart, boolean>>, verdict: Verdict) {
    this.#parts = parts;
    this.#verdict = verdict;
  }

  /** A part that the server lacks, although something has used it. The run must be repeated with a server that has it. */
  get needs(): ServerPart | undefined {
    return this.#needs;
  }

  /** Notes a request for a resource, or a read of a kind. */
  used(resource: string): void {
    this.resources.add(resource);
    if (isEndpoints(resource)) this.#require("endpoints");
  }

  /** Notes that an object is applied. */
  applied(): void {
    this.#require("owners");
  }

  #require(part: ServerPart): void {
    if (this.#parts[part]) return;
    this.#needs = part;
    this.#verdict.violated({ invariant: builtIn.convergence, message: `the run needs ${part}` });
  }
}
