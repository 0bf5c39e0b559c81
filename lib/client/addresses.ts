import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type CheckedAddress, mergeAddresses, toCheckedAddresses } from "@/lib/ui/checked_address.ts";
import { readDropped } from "./dropped_text.ts";
import { sendPageAction } from "./page_action.ts";

/** Initial content of an address field. */
interface AddressBoxStart {
  /** Text of the field. */
  readonly text: string;
  /** The addresses in it as the server parsed them, where it did. */
  readonly first: readonly CheckedAddress[];
  readonly messages: { readonly failed: string; readonly fileUnread: string };
}

/**
 * Manages the addresses of a field: `known` are checked by the server, `pending` is unfinished text. `check`
 * has the server check it, `take` adds the content of files.
 */
export function useAddresses({ text, first, messages }: AddressBoxStart) {
  const box = useRef<HTMLDivElement>(null);
  const isLive = useSignal(false);
  const known: Signal<readonly CheckedAddress[]> = useSignal(first);
  const pending = useSignal(first.length > 0 ? "" : text);
  const problem = useSignal("");
  const check = async () => {
    const asked = pending.value;
    if (asked.trim() === "") return;
    const outcome = await sendPageAction(
      new URLSearchParams({ action: "preview", emails: asked }),
      messages.failed,
    );
    problem.value = outcome.isDone ? "" : Object.values(outcome.problems).join(" ");
    if (!outcome.isDone) return;
    known.value = mergeAddresses(known.value, toCheckedAddresses(outcome.result["addresses"]));
    // Keeps what was typed meanwhile.
    if (pending.value.startsWith(asked)) pending.value = pending.value.slice(asked.length);
  };
  const take = async (files: FileList) => {
    const dropped = await readDropped(files);
    problem.value = dropped === null ? messages.fileUnread : "";
    if (dropped === null) return;
    pending.value = [pending.value, dropped].filter((part) => part.trim() !== "").join("\n");
    await check();
  };
  useEffect(() => {
    const typed = box.current?.querySelector("textarea")?.value ?? text;
    if (known.value.length === 0) pending.value = typed;
    isLive.value = true;
    check();
  }, []);
  return { box, isLive, known, pending, problem, check, take };
}
