import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type ViewName, viewNames } from "./model/route.ts";
import { useKey, useRoute, useSession } from "./state/hooks.ts";
import { Notifications } from "./ui/action.tsx";
import { Icon } from "./ui/icons.tsx";
import { AdmissionView } from "./views/admission.tsx";
import { CachesView } from "./views/caches.tsx";
import { ControllersView } from "./views/controllers.tsx";
import { FaultsView } from "./views/faults.tsx";
import { HelpDialog } from "./views/help.tsx";
import { ObjectsView } from "./views/objects.tsx";
import { SessionErrors } from "./views/session-errors.tsx";
import { SessionHeader } from "./views/session-header.tsx";
import { TravelView } from "./views/travel.tsx";

const labels: Readonly<Record<ViewName, { readonly label: string; readonly short: string }>> = {
  objects: { label: "Objects", short: "Objects" },
  controllers: { label: "Controllers", short: "Controllers" },
  caches: { label: "Caches", short: "Caches" },
  admission: { label: "Admission", short: "Admission" },
  faults: { label: "Faults", short: "Faults" },
  travel: { label: "Time travel", short: "Travel" },
};

const isDigit = /^[1-9]$/;

/** The page. */
export function App(): JSX.Element {
  const route = useRoute();
  const restorable = useSession(({ status }) => status?.restorable ?? true);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const views = viewNames.filter((name) => name !== "travel" || restorable);
  useKey("?", () => setHelpOpen(true));
  useKey(isDigit, ({ key }) => {
    const name = viewNames[Number(key) - 1];
    if (name && views.includes(name)) location.hash = `#/${name}`;
  });
  useKey("/", () => main.current?.querySelector<HTMLElement>("input[type=search]")?.focus());
  const title = route.object ? `${route.object.kind} ${route.object.name}` : labels[route.view].label;
  useEffect(() => {
    document.title = `${title} · scaffold dev`;
  }, [title]);
  return (
    <Notifications>
      <button type="button" class="skip-link" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <div class="shell">
        <SessionHeader onHelp={() => setHelpOpen(true)} />
        <nav class="nav" aria-label="Views">
          <ul>
            {views.map((name) => (
              <li key={name}>
                <a href={`#/${name}`} class="nav-link" aria-current={route.view === name ? "page" : undefined}>
                  <Icon name={name} />
                  <span class="nav-label">{labels[name].label}</span>
                  <span class="nav-short" aria-hidden="true">
                    {labels[name].short}
                  </span>
                  <NavCount view={name} />
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main ref={main} class="main" tabIndex={-1} aria-label={title}>
          <SessionErrors />
          {route.view === "objects" && <ObjectsView route={route} />}
          {route.view === "controllers" && <ControllersView />}
          {route.view === "caches" && <CachesView />}
          {route.view === "admission" && <AdmissionView />}
          {route.view === "faults" && <FaultsView />}
          {route.view === "travel" && <TravelView />}
        </main>
      </div>
      {isHelpOpen && <HelpDialog onClose={() => setHelpOpen(false)} />}
    </Notifications>
  );
}

/** Shows the number of items of a view that need attention. */
function NavCount({ view }: { view: ViewName }): JSX.Element | null {
  const count = useSession(({ objects, controllers, faults, admissions }) => {
    if (view === "objects") return objects ? [...objects.values()].filter(({ ready }) => ready === false).length : 0;
    if (view === "controllers")
      return (
        controllers?.controllers.reduce(
          (sum, { delayed }) => sum + delayed.filter(({ attempts }) => attempts > 0).length,
          0,
        ) ?? 0
      );
    if (view === "admission") return admissions.filter(({ allowed }) => !allowed).length;
    return view === "faults" ? faults.length : 0;
  });
  if (count === 0) return null;
  const meaning = { objects: "not ready", controllers: "in back-off", admission: "denied", faults: "active" }[
    view as string
  ];
  return (
    <span class="nav-count" title={`${count} ${meaning}`}>
      {count > 999 ? "999+" : count}
      <span class="sr-only"> {meaning}</span>
    </span>
  );
}
