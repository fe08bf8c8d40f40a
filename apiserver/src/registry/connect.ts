import type { Answer } from "../request/request.ts";
import type { Scope } from "./scope.ts";

/** Answers requests to a subresource with rules of its own. */
export type ConnectHandler = (scope: Scope) => Promise<Answer>;
