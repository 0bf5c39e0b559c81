/** Everything that a form would send now, as one text. */
export function contentOf(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)].filter(([, value]) => typeof value === "string"));
}

/** Everything that a form would have sent as the server drew it, whatever the browser put into it since. */
export function drawnContentOf(form: HTMLFormElement): string {
  const entries: [string, string][] = [];
  for (const control of form.elements) {
    if (control instanceof HTMLTextAreaElement) entries.push([control.name, control.defaultValue]);
    if (!(control instanceof HTMLInputElement) || control.disabled || control.name === "") continue;
    const isBox = control.type === "checkbox" || control.type === "radio";
    if (isBox && !control.defaultChecked) continue;
    entries.push([control.name, isBox ? control.value : control.defaultValue]);
  }
  return JSON.stringify(entries);
}
