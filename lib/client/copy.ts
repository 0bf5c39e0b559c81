import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

/** Time for which the outcome of copying is shown, in milliseconds. */
const SHOWN_MS = 4000;

/** Creates a copier that shows the outcome for a while. */
export function useCopy() {
  /** Message about the last copy; empty when there is none. */
  const outcome = useSignal("");
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const copy = async (text: string, done: string) => {
    clearTimeout(timer.current);
    // Emptied first, so that screen readers announce the same message again.
    outcome.value = "";
    const isCopied = await copyText(text);
    outcome.value = isCopied ? done : "The browser did not allow copying.";
    timer.current = setTimeout(() => outcome.value = "", SHOWN_MS);
  };
  return { outcome, copy };
}

/** Copies a text to the clipboard; returns false when the browser refuses. */
async function copyText(text: string): Promise<boolean> {
  // Browsers offer a clipboard only on https and localhost, and a server in a local network is often neither.
  if (navigator.clipboard === undefined) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr-only";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
