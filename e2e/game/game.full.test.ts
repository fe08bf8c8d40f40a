// The whole life of the Game.
import { testGame } from "./game.ts";

testGame({ whole: true });
