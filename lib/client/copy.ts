import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

/** How long it is said that something was copied. */
const SAID_MS = 4000;

/** Copying, and what came of it. */
export interface Copying {
  /** What to say about the last copy; empty when there is nothing to say. */
  readonly outcome: ReadonlySignal<string>;
  readonly copy: (text: string, done: string) => Promise<void>;
}

/** Copies texts, and says for a while what came of it. */
export function useCopy(): Copying {
  const outcome = useSignal("");
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const copy = async (text: string, done: string) => {
    clearTimeout(timer.current);
    // Emptied first, so that the same words are announced a second time.
    outcome.value = "";
    const isCopied = await copyText(text);
    outcome.value = isCopied ? done : "Copying was not allowed here.";
    timer.current = setTimeout(() => outcome.value = "", SAID_MS);
  };
  return { outcome, copy };
}

/** Puts a text on the clipboard; false when the browser would not. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers have a clipboard on https and localhost alone; a server in a local network is often neither.
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
