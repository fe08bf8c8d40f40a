// The other golden projects as they are, with what their markers give them.
import { describe } from "vitest";
import { multigroup, webhooks } from "./operators.ts";
import { testPermissions, withKustomize } from "./permissions.ts";
import { selfManaged } from "./self.ts";

describe("webhooks", () => testPermissions(webhooks, withKustomize));
describe("multigroup, of one namespace", () => testPermissions(multigroup, withKustomize));
describe("webhooks that make their certificates", () => testPermissions(selfManaged, withKustomize));
