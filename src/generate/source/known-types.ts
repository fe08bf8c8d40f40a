/** The types that are identified by module and name: those of the Kubernetes API. */
export interface KnownTypes {
  has(specifier: string, name: string): boolean;
  /** Returns the declarations of a module of the runtime's API, for the type checker; undefined if the module doesn't exist. */
  declarations(specifier: string): string | undefined;
}

/** For runs without known types. */
export const nothingKnown: KnownTypes = { has: () => false, declarations: () => undefined };
