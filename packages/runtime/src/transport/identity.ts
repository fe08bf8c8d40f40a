import type { ClientCertificate } from "./connections.ts";

/** The credentials of a request. */
export interface Identity {
  authorization?: string;
  certificate?: ClientCertificate;
}

/** Supplies identities, which can change while the process runs. */
export interface Credentials {
  /** Returns the credentials for the next request. Rejects with a one-line reason if it has none. */
  current(): Identity | Promise<Identity>;
  /** Handles a 401 response. Returns true if the identity has changed since, so that the request can be repeated. */
  renew(refused: Identity): Promise<boolean>;
}
