// The other golden projects as they are, with what their markers give them.
import { describe } from "vitest";
import { multigroup, webhooks } from "./operators.ts";
import { testRights, withKustomize } from "./rights.ts";
import { selfManaged } from "./self.ts";

describe("webhooks", () => testRights(webhooks, withKustomize));
describe("multigroup, of one namespace", () => testRights(multigroup, withKustomize));
describe("webhooks that make their certificates", () => testRights(selfManaged, withKustomize));
