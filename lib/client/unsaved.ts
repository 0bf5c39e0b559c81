/**
 * Warns before leaving a page while a form with `data-guard` holds unsaved changes. A refused form
 * (`data-guard` "changed") holds such changes from the start.
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
    if (!(target instanceof HTMLFormElement)) return;
    // Submitting one form reloads the page: unsaved changes of other forms are confirmed, those being sent
    // are not.
    touched.delete(target);
    if (target.dataset["guard"]) target.dataset["guard"] = "";
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
  return [...form.elements].some(differs);
}

/** Whether an element is a control whose value differs from its initial one. */
function differs(control: Element): boolean {
  if (control instanceof HTMLSelectElement) {
    const options = [...control.options];
    const hasDefault = options.some(({ defaultSelected }) => defaultSelected);
    return options.some(({ selected, defaultSelected }, at) =>
      selected !== (hasDefault ? defaultSelected : at === 0 && !control.multiple)
    );
  }
  if (control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type)) {
    return control.checked !== control.defaultChecked;
  }
  return (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) &&
    control.value !== control.defaultValue;
}
