import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CardLine } from "@/components/admin/profile_fields/card_line.ts";
import { CardPreview, type PreviewTexts } from "@/components/admin/profile_fields/CardPreview.tsx";
import { sendPageAction } from "@/lib/client/page_action.ts";

/** How long after the last key the server is asked. */
const WAIT_MS = 200;

interface FieldPreviewProps {
  readonly formId: string;
  readonly person: string;
  readonly role: string;
  /** What the form held as it was drawn. */
  readonly first: CardLine;
  readonly others: readonly CardLine[];
  readonly texts: PreviewTexts;
}

/** Shows what is typed as it looks on a card, drawn anew while one types; the server says how. */
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
      // An answer that was overtaken, or none at all, leaves what is shown.
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

function readLine(result: Readonly<Record<string, unknown>>): CardLine {
  const text = (name: string) => String(result[name] ?? "");
  return {
    label: text("label"),
    value: text("value"),
    address: text("address"),
    hint: text("hint"),
    isOnCard: result["isOnCard"] === true,
  };
}
