type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Asks before one leaves the page while a form with `data-guard` holds what was not sent; gives what ends that. A form
 * that was refused (`data-guard` "changed") holds such from the beginning.
 */
export function guardForms(signal: AbortSignal): void {
  // What was typed before this script came counts too.
  const touched = new Set<Element>(guardedForms().filter(isChanged));
  const noteTouch = ({ target }: Event) => {
    const form = target instanceof Element ? target.closest("form[data-guard]") : null;
    if (form !== null) touched.add(form);
  };
  document.addEventListener("input", noteTouch, { signal });
  document.addEventListener("change", noteTouch, { signal });
  document.addEventListener("submit", ({ target }) => {
    if (target instanceof HTMLFormElement) touched.delete(target);
    // Sending one form loads the page again: what stands in the others is asked about, what is being sent is not.
    if (target instanceof HTMLFormElement && target.dataset["guard"] === "changed") {
      target.dataset["guard"] = "";
    }
  }, { signal });
  globalThis.addEventListener("beforeunload", (event) => {
    const isUnsaved = guardedForms().some((form) =>
      form.dataset["guard"] === "changed" || (touched.has(form) && isChanged(form))
    );
    if (isUnsaved) event.preventDefault();
  }, { signal });
}

function guardedForms(): HTMLFormElement[] {
  return [...document.querySelectorAll<HTMLFormElement>("form[data-guard]")];
}

function isChanged(form: HTMLFormElement): boolean {
  return [...form.elements].some((element) => isControl(element) && differs(element));
}

function isControl(element: Element): element is Control {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement;
}

/** Whether a control holds something else than it came with. */
function differs(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const [first] = control.options;
    const hasDefault = [...control.options].some(({ defaultSelected }) => defaultSelected);
    return [...control.options].some((option) =>
      option.selected !== (hasDefault ? option.defaultSelected : option === first && !control.multiple)
    );
  }
  if (control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type)) {
    return control.checked !== control.defaultChecked;
  }
  return control.value !== control.defaultValue;
}
