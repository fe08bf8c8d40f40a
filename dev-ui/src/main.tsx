import { render } from "preact";
import { App } from "./app.tsx";
import { connect } from "./state/connection.ts";
import { StoreContext } from "./state/hooks.ts";
import { SessionStore } from "./state/session-store.ts";
import { applyTheme, storedTheme } from "./state/theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/objects.css";
import "./styles/timeline.css";
import "./styles/views.css";

applyTheme(storedTheme());
const store = new SessionStore();
connect(store);
const root = document.getElementById("root");
if (root) {
  render(
    <StoreContext.Provider value={store}>
      <App />
    </StoreContext.Provider>,
    root,
  );
}
