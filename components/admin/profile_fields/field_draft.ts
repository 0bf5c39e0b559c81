import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import type { FieldFormData } from "@/lib/admin/profile_field_view.ts";
import { type FormState, formState } from "../form_state.ts";
import { type CardLine, type CardViewer, toCardLine } from "./card_line.ts";
import { arrangedRows, type ChoiceRow, DRAFT_FIELD, rowsOf } from "./choice_rows.ts";

/** What stands in the form of a field: what is stored, or what was typed into it and came back. */
export interface FieldDraft {
  readonly state: FormState;
  /** Whether it was typed. */
  readonly isTyped: boolean;
  readonly rows: readonly ChoiceRow[];
  /** The keys of choices of which it was said that they may go. */
  readonly agreed: readonly string[];
  /** How the field looks on a card. */
  readonly line: CardLine;
}

/** The form of a field as it is to be drawn. */
export function fieldDraft(data: FieldFormData, refused: RefusedForm | null, viewer: CardViewer): FieldDraft {
  const action = data.id === null ? "create" : "save";
  const state = formState(refused, action);
  if (refused?.action !== action) {
    return { state, isTyped: false, rows: data.choices.map(toRow), agreed: [], line: data.line };
  }
  const sent = (name: string) => refused.typed[name] ?? [];
  const rows = arrangedRows(
    rowsOf(sent("choice_key"), sent("choice_text")),
    state.value(DRAFT_FIELD),
    { language: viewer.speech.language, stored: data.choices },
  ).map(toRow);
  return { state, isTyped: true, rows, agreed: sent("drop"), line: typedLine(data, { state, rows }, viewer) };
}

function typedLine(
  data: FieldFormData,
  { state, rows }: Pick<FieldDraft, "state" | "rows">,
  viewer: CardViewer,
): CardLine {
  const type = data.id === null ? Number(state.value("field_type")) : data.type;
  const account = data.id === null ? state.value("account") : data.account;
  const known = type === 7 ? data.accounts.find(({ subtype }) => subtype === account) : undefined;
  return toCardLine({
    type,
    label: known?.name ?? state.value("name"),
    hint: known?.hint ?? state.value("hint"),
    pattern: known?.pattern ?? state.value("url_pattern"),
    firstChoice: rows.find(({ text }) => text.trim() !== "")?.text ?? "",
    isOnCard: state.isTicked("on_card", false),
  }, viewer);
}

/** Islands are given no more of a row than they need. */
function toRow({ key, text }: ChoiceRow): ChoiceRow {
  return { key, text };
}
