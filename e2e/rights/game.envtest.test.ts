// The Game of the docs with what its markers give it; rights.full.test.ts has the other golden projects.
import { game } from "./operators.ts";
import { testRights, withKustomize } from "./rights.ts";

testRights(game, withKustomize);
