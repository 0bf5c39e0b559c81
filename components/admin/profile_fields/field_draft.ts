import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import type { FieldFormData } from "@/lib/admin/profile_fields/profile_field_view.ts";
import { type FormState, formState } from "../form_state.ts";
import { type CardEntry, type CardViewer, toCardEntry } from "./card_entry.ts";
import { applyDraftAction, type ChoiceRow, DRAFT_FIELD, toChoiceRows } from "./choice_rows.ts";

/** Values of a profile field form: those stored, or those submitted and refused. */
export interface FieldDraft {
  readonly state: FormState;
  /** Whether the values were submitted. */
  readonly isTyped: boolean;
  readonly rows: readonly ChoiceRow[];
  /** Keys of the choices whose removal is confirmed. */
  readonly agreed: readonly string[];
  /** The field as displayed on a card. */
  readonly line: CardEntry;
}

/** Returns the values to render a profile field form with. */
export function fieldDraft(data: FieldFormData, refused: RefusedForm | null, viewer: CardViewer): FieldDraft {
  const action = data.id === null ? "create" : "save";
  const state = formState(refused, action);
  if (refused?.action !== action) {
    return { state, isTyped: false, rows: data.choices.map(toRow), agreed: [], line: data.line };
  }
  const sent = (name: string) => refused.typed[name] ?? [];
  const rows = applyDraftAction(
    toChoiceRows(sent("choice_key"), sent("choice_text")),
    state.value(DRAFT_FIELD),
    { language: viewer.formatter.language, stored: data.choices },
  ).map(toRow);
  return { state, isTyped: true, rows, agreed: sent("drop"), line: typedLine(data, { state, rows }, viewer) };
}

function typedLine(
  data: FieldFormData,
  { state, rows }: Pick<FieldDraft, "state" | "rows">,
  viewer: CardViewer,
): CardEntry {
  const type = data.id === null ? Number(state.value("field_type")) : data.type;
  const account = data.id === null ? state.value("account") : data.account;
  const known = type === 7 ? data.accounts.find(({ subtype }) => subtype === account) : undefined;
  return toCardEntry({
    type,
    label: known?.name ?? state.value("name"),
    hint: known?.hint ?? state.value("hint"),
    pattern: known?.pattern ?? state.value("url_pattern"),
    firstChoice: rows.find(({ text }) => text.trim() !== "")?.text ?? "",
    isOnCard: state.isTicked("on_card", false),
  }, viewer);
}

/** Returns only the properties of a row that islands need. */
function toRow({ key, text }: ChoiceRow): ChoiceRow {
  return { key, text };
}
