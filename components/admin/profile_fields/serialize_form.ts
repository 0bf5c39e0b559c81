/** Returns everything that a form would send now, as one string. */
export function serializeForm(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)].filter(([, value]) => typeof value === "string"));
}

/** Returns everything that a form would send with the server's values, ignoring what the browser restored. */
export function serializeInitialForm(form: HTMLFormElement): string {
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
