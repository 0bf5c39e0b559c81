import { openByControls } from "./dialog.ts";

/** Opens the palette by its buttons and by Ctrl or Cmd with K; its code is loaded when it is opened first. */
export function listenToPalette(palette: HTMLDialogElement, signal: AbortSignal): void {
  let isLoaded = false;
  const open = () => {
    const field = palette.querySelector("input");
    if (field !== null) field.value = "";
    palette.showModal();
    field?.focus();
    if (isLoaded) return field?.dispatchEvent(new Event("input"));
    isLoaded = true;
    void import("./palette.ts").then(({ enablePalette }) => enablePalette(palette, signal));
  };
  openByControls(palette, open, signal);
  document.addEventListener("keydown", (event) => {
    const isWanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey &&
      event.key.toLowerCase() === "k";
    if (!isWanted) return;
    event.preventDefault();
    if (palette.open) palette.close();
    else if (document.querySelector("dialog[open]") === null) open();
  }, { signal });
}
