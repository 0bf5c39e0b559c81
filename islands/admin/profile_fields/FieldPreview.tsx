import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  type CardEntry,
  CardPreview,
  type CardPreviewProps,
} from "@/components/admin/profile_fields/CardPreview.tsx";
import { watchPreviewedForm } from "@/lib/client/previewed_form.ts";

interface FieldPreviewProps extends Omit<CardPreviewProps, "line"> {
  readonly formId: string;
  /** Preview of the form's initial values. */
  readonly first: CardEntry;
}

/** Previews the field on a card while typing; the server renders it. */
export default function FieldPreview({ formId, first, ...card }: FieldPreviewProps) {
  const line = useSignal(first);
  useEffect(() => {
    return watchPreviewedForm(document.getElementById(formId), {
      failed: "",
      // A failed response leaves the preview unchanged.
      show: (outcome) => {
        if (outcome.isDone && isEntry(outcome.result)) line.value = outcome.result;
      },
    });
  }, []);
  return <CardPreview {...card} line={line.value} />;
}

function isEntry(value: object): value is CardEntry {
  return "label" in value && "isOnCard" in value;
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
