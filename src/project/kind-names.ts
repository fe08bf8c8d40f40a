import { shown } from "../text/shown.ts";
import { inputProblem, type Problem } from "./problem.ts";

/** Names that conflict with imports in scaffolded files, or have another meaning for the generator. */
const taken = new Map<string, string>(
  Object.entries({
    ...of("a name that the scaffolded code imports from @kubewright/runtime", [
      "Client",
      "Context",
      "GroupVersion",
      "Int32",
      "Int64",
      "Float32",
      "Float64",
      "KubernetesList",
      "KubernetesObject",
      "Manager",
      "Reconciler",
      "Request",
      "Result",
      "Condition",
      "ObjectMeta",
      "ListMeta",
      "TypeMeta",
      "Quantity",
      "IntOrString",
      "Duration",
      "Time",
      "MicroTime",
      "Bytes",
      "RawExtension",
      "JSONValue",
      "TestEnvironment",
      "CustomDefaulter",
      "CustomValidator",
      "Converter",
      "SpokeConverter",
    ]),
    ...of("the name of a list of objects in Kubernetes", ["List"]),
    ...of("a global of JavaScript or TypeScript that the scaffolded code would hide", [
      "AbortController",
      "AbortSignal",
      "AggregateError",
      "Array",
      "ArrayBuffer",
      "AsyncDisposableStack",
      "Atomics",
      "BigInt",
      "BigInt64Array",
      "BigUint64Array",
      "Boolean",
      "Buffer",
      "DataView",
      "Date",
      "DisposableStack",
      "Error",
      "EvalError",
      "Event",
      "EventTarget",
      "FinalizationRegistry",
      "Float16Array",
      "Float32Array",
      "Float64Array",
      "Function",
      "Generator",
      "Infinity",
      "Int16Array",
      "Int32Array",
      "Int8Array",
      "Intl",
      "Iterator",
      "JSON",
      "Map",
      "Math",
      "NaN",
      "Number",
      "Object",
      "Promise",
      "Proxy",
      "RangeError",
      "ReferenceError",
      "Reflect",
      "RegExp",
      "Set",
      "SharedArrayBuffer",
      "String",
      "SuppressedError",
      "Symbol",
      "SyntaxError",
      "Temporal",
      "TypeError",
      "URIError",
      "URL",
      "URLSearchParams",
      "Uint16Array",
      "Uint32Array",
      "Uint8Array",
      "Uint8ClampedArray",
      "WeakMap",
      "WeakRef",
      "WeakSet",
      "WebAssembly",
      "Partial",
      "Required",
      "Readonly",
      "Record",
      "Pick",
      "Omit",
      "Exclude",
      "Extract",
      "NonNullable",
      "Parameters",
      "ReturnType",
      "InstanceType",
      "Awaited",
      "Lowercase",
      "Uppercase",
      "Capitalize",
      "Uncapitalize",
    ]),
  }),
);

function of(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

/** Checks `--kind`: letters and digits in PascalCase, because it names a type, a class and files. */
export function kindProblem(kind: string): Problem | undefined {
  const example = "such as Game";
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    return inputProblem(
      "bad-kind",
      `--kind ${shown(kind)} isn't valid: use letters and digits, beginning with an uppercase letter, ${example}`,
    );
  }
  if (kind.length > 63) {
    return inputProblem("bad-kind", `--kind ${shown(kind)} is too long: use at most 63 characters, ${example}`);
  }
  const reason = taken.get(kind);
  if (reason === undefined) return undefined;
  return inputProblem(
    "reserved-kind",
    `--kind ${kind} can't be used: it is ${reason}; choose another name, ${example}`,
  );
}
