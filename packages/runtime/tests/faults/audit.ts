import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A modifying request, as recorded by the API server. */
export interface Write {
  user: string;
  verb: string;
  resource: string;
  /** Status code of the response. */
  code: number;
  /** Time at which the server received it, in milliseconds of the machine's wall clock. */
  at: number;
}

interface AuditEvent {
  verb: string;
  user: { username: string };
  objectRef?: { resource?: string };
  responseStatus?: { code?: number };
  requestReceivedTimestamp: string;
}

const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
    verbs: [create, update, patch, delete]
  - level: None
`;

/** The audit log of an API server, which records the user and time of each write. */
export class Audit {
  readonly #directory = mkdtempSync(join(tmpdir(), "kubewright-audit-"));
  readonly #log = join(this.#directory, "audit.log");
  /** API server flags that enable this log. */
  readonly flags: Record<string, string>;

  constructor() {
    const file = join(this.#directory, "policy.yaml");
    writeFileSync(file, policy);
    this.flags = { "audit-policy-file": file, "audit-log-path": this.#log };
  }

  /** Returns all writes of a user so far, in the order of their responses. */
  writesOf(user: string): Write[] {
    const lines = readFileSync(this.#log, "utf8").split("\n");
    // The last line can be incomplete.
    const events = lines.slice(0, -1).map((line) => JSON.parse(line) as AuditEvent);
    return events
      .filter((event) => event.user.username === user)
      .map(({ verb, objectRef, responseStatus, requestReceivedTimestamp }) => ({
        user,
        verb,
        resource: objectRef?.resource ?? "",
        code: responseStatus?.code ?? 0,
        at: Date.parse(requestReceivedTimestamp),
      }));
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
