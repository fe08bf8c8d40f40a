/** Shows the same tab in all code groups of a `panels` container, such as the types and the CRD that they generate. */
export function alignPanels(page: Document): void {
  let isAligning = false;
  page.addEventListener("change", ({ target }) => {
    const group = target instanceof Element ? target.closest(".vp-code-group") : null;
    const panels = group?.closest(".panels");
    if (isAligning || !group || !panels) return;
    const index = inputsOf(group).indexOf(target as HTMLInputElement);
    isAligning = true;
    for (const other of panels.querySelectorAll(".vp-code-group")) {
      // VitePress listens to clicks.
      if (other !== group) inputsOf(other)[index]?.click();
    }
    isAligning = false;
  });
}

function inputsOf(group: Element): HTMLInputElement[] {
  return [...group.querySelectorAll<HTMLInputElement>(".tabs input")];
}
