// The Game with the packages that all articles share; game.full.test.ts installs them, and kills the API server.
import { testGame } from "./game.ts";

testGame({ whole: false });
