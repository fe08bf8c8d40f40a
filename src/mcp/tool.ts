import type { Place } from "./command.ts";
import type { Page } from "./pages.ts";
import type { Plans } from "./plans.ts";
import type { ObjectSchema } from "./schemas.ts";
import type { ProjectSession } from "./session.ts";

/** Everything that tools use. */
export interface Services {
  readonly place: Place;
  readonly session: ProjectSession;
  readonly plans: Plans;
  readonly pages: readonly Page[];
  /** The directory of the running package. */
  readonly packageRoot: string;
  readonly version: string;
  /** The address of the docs site. */
  readonly site: string;
}

/** A call of a tool. */
export interface Call {
  readonly args: Readonly<Record<string, unknown>>;
  /** Aborted if the client cancels the call, or disconnects. */
  readonly signal: AbortSignal;
  /** Asks the person to agree. Undefined if the client can't. */
  readonly confirm: ((message: string) => Confirmation) | undefined;
}

/** The answer of the person, or the request that the client must show first. */
export type Confirmation = { readonly agreed: boolean } | { readonly request: object };

/** The result of a tool. */
export interface ToolResult {
  readonly data: object;
  readonly text: string;
}

/** A tool of the server. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  /** Whether it changes nothing. */
  readonly readOnly?: true;
  readonly destructive?: true;
  readonly openWorld?: true;
  /** Whether it also works outside of a project. */
  readonly standalone?: true;
  run(call: Call, services: Services): Promise<ToolResult | { readonly request: object }>;
}
