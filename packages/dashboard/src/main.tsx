import { render } from "preact";
import { App } from "./app.tsx";
import { replayPage } from "./protocol/protocol.ts";
import { connect } from "./state/connection.ts";
import { StoreContext } from "./state/hooks.ts";
import { takeKey } from "./state/key.ts";
import { SessionStore } from "./state/session-store.ts";
import { applyTheme, storedTheme } from "./state/theme.ts";
import { ReplayPage } from "./views/replay-page.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/objects.css";
import "./styles/timeline.css";
import "./styles/views.css";
import "./styles/replay.css";

takeKey();
applyTheme(storedTheme());
const root = document.getElementById("root");
if (root && location.pathname === replayPage) render(<ReplayPage />, root);
else if (root) {
  const store = new SessionStore();
  connect(store);
  render(
    <StoreContext.Provider value={store}>
      <App />
    </StoreContext.Provider>,
    root,
  );
}
