import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type CheckedAddress, mergeAddresses, toCheckedAddresses } from "@/lib/ui/checked_address.ts";
import { readDropped } from "./dropped_text.ts";
import { sendPageAction } from "./page_action.ts";

/** What a box of addresses begins with. */
export interface AddressBoxStart {
  /** What stands in it. */
  readonly text: string;
  /** The same as the server understood it, where it did. */
  readonly first: readonly CheckedAddress[];
  readonly words: { readonly failed: string; readonly fileUnread: string };
}

/**
 * The addresses of a box: `known` are those that the server looked at, `pending` is what was not finished. `check` has
 * the server look at that, `take` at what files hold.
 */
export function useAddresses({ text, first, words }: AddressBoxStart) {
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
      words.failed,
    );
    problem.value = outcome.isDone ? "" : Object.values(outcome.problems).join(" ");
    if (!outcome.isDone) return;
    known.value = mergeAddresses(known.value, toCheckedAddresses(outcome.result["addresses"]));
    // Whoever types on keeps what came after.
    if (pending.value.startsWith(asked)) pending.value = pending.value.slice(asked.length);
  };
  const take = async (files: FileList) => {
    const dropped = await readDropped(files);
    problem.value = dropped === null ? words.fileUnread : "";
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
