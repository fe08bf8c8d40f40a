import type { ClientCertificate } from "./connections.ts";

/** As whom a request comes. */
export interface Identity {
  authorization?: string;
  certificate?: ClientCertificate;
}

/** Where identities come from; they may change while the process runs. */
export interface Credentials {
  /** What the next request shall carry. Rejects with one line that says why there is none. */
  current(): Identity | Promise<Identity>;
  /** The server refused the identity (401): gives true when there is another one now, so that trying again makes sense. */
  renew(refused: Identity): Promise<boolean>;
}
