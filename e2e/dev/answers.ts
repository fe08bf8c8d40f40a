/** Why an object was reconciled. */
interface Reason {
  readonly type: string;
  readonly kind: string;
  readonly name: string;
  readonly via?: string;
  readonly by?: string;
  readonly changed?: readonly string[];
}

/** The answer of `scaffold dev why`. */
export interface Why {
  readonly object: { readonly kind: string; readonly name: string; readonly uid: string };
  readonly reconciles: readonly {
    readonly controller: string;
    readonly time: string;
    readonly reasons: readonly Reason[];
    readonly reads: readonly { readonly verb: string; readonly kind: string; readonly from: string }[];
    readonly writes: readonly { readonly verb: string; readonly kind: string; readonly diff: string }[];
    readonly error: { readonly message: string; readonly file?: string; readonly line?: number } | null;
  }[];
}

/** The answer of `scaffold dev objects`. */
export interface Objects {
  readonly objects: readonly {
    readonly kind: string;
    readonly uid: string;
    readonly ready: boolean | null;
    readonly children: readonly string[];
  }[];
}
