type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Warns before leaving a page while a form with `data-guard` holds unsaved changes; returns a function that
 * stops it. A refused form (`data-guard` "changed") holds such changes from the start.
 */
export function guardForms(signal: AbortSignal): void {
  // Includes what was typed before this script loaded.
  const touched = new Set<Element>(guardedForms().filter(isChanged));
  const noteTouch = ({ target }: Event) => {
    const form = target instanceof Element ? target.closest("form[data-guard]") : null;
    if (form !== null) touched.add(form);
  };
  document.addEventListener("input", noteTouch, { signal });
  document.addEventListener("change", noteTouch, { signal });
  document.addEventListener("submit", ({ target }) => {
    if (target instanceof HTMLFormElement) touched.delete(target);
    // Submitting one form reloads the page: unsaved changes of other forms are confirmed, those being sent
    // are not.
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

/** Whether a control's value differs from its initial one. */
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
