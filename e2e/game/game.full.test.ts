// Tests the Game with its own packages, and kills the API server.
import { testGame } from "./game.ts";

testGame({ whole: true });
