// Tests the Game with the packages that all articles share. game.full.test.ts installs its own, and kills the API
// server.
import { testGame } from "./game.ts";

testGame({ whole: false });
