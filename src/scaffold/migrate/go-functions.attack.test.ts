import { it } from "vitest";
import { expectLinear } from "../../../scripts/test-support/growth.ts";
import { goFunctions } from "./go-functions.ts";

const lines: Readonly<Record<string, (index: number) => string>> = {
  "functions without an end": (index) => `func (r *R${index}) SetupWithManager(mgr ctrl.Manager) error {\n`,
  "functions of one receiver": () => "func (r *R) Reconcile(ctx context.Context) (ctrl.Result, error) {\n}\n",
  "parameters without an end": () => "func (r *R) Reconcile(a int,\n",
  "builders without an end": () => "ctrl.NewWebhookManagedBy(mgr,\n&v1.Game",
  "controllers without a kind": () => "ctrl.NewControllerManagedBy(mgr).\n",
};

it.each(Object.keys(lines))("Go code with many %s is read in linear time", (name) => {
  const line = lines[name] as (index: number) => string;
  expectLinear(
    (text: string) => goFunctions([{ path: "a.go", text: () => text }]),
    (size) => `package a\n${Array.from({ length: size }, (_, index) => line(index)).join("")}`,
    { to: 4000 },
  );
});
