import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CardEntry } from "@/components/admin/profile_fields/card_entry.ts";
import { CardPreview, type PreviewTexts } from "@/components/admin/profile_fields/CardPreview.tsx";
import { sendPageAction } from "@/lib/client/page_action.ts";

/** Delay after the last key before the server is asked, in milliseconds. */
const WAIT_MS = 200;

interface FieldPreviewProps {
  readonly formId: string;
  readonly person: string;
  readonly role: string;
  /** Preview of the form's initial values. */
  readonly first: CardEntry;
  readonly others: readonly CardEntry[];
  readonly position: number;
  readonly texts: PreviewTexts;
}

/** Previews the field on a card while typing; the server renders it. */
export default function FieldPreview({ formId, first, ...card }: FieldPreviewProps) {
  const line = useSignal(first);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asked = 0;
    const ask = async () => {
      const number = ++asked;
      const outcome = await sendPageAction(fieldsOf(form), "");
      // An outdated or failed response leaves the preview unchanged.
      if (outcome.isDone && number === asked) line.value = readLine(outcome.result);
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(ask, WAIT_MS);
    };
    form.addEventListener("input", wait, { signal: ended.signal });
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, []);
  return <CardPreview {...card} line={line.value} />;
}

function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && name !== "action") fields.append(name, value);
  }
  fields.append("action", "preview");
  return fields;
}

function readLine(result: Readonly<Record<string, unknown>>): CardEntry {
  const text = (name: string) => String(result[name] ?? "");
  return {
    label: text("label"),
    value: text("value"),
    address: text("address"),
    hint: text("hint"),
    isOnCard: result["isOnCard"] === true,
  };
}

interface PronounsPrefillProps {
  readonly formId: string;
  /** Field type whose inputs are filled in. */
  readonly type: string;
  readonly name: string;
  readonly hint: string;
}

/**
 * Fills in the label and hint when pronouns are chosen, and clears them for another type; keeps typed text.
 */
export function PronounsPrefill({ formId, type, name, hint }: PronounsPrefillProps) {
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const ended = new AbortController();
    form.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.name !== "field_type") return;
      const isChosen = target.value === type;
      for (const [field, text] of [["name", name], ["hint", hint]] as const) {
        const control = form.elements.namedItem(field);
        if (!(control instanceof HTMLInputElement)) continue;
        if (control.value === (isChosen ? "" : text)) control.value = isChosen ? text : "";
      }
      // Reloading the page keeps the type.
      history.replaceState(history.state, "", `?type=${target.value}`);
      form.dispatchEvent(new Event("input"));
    }, { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return null;
}
