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
