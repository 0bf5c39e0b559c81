/** A choice in a form: its text, and the key that values refer to, empty for a new choice. */
export interface ChoiceRow {
  readonly key: string;
  readonly text: string;
  /** Identity of the row in the editor, independent of its content. */
  readonly id?: number;
}

/** A stored choice, and the number of users who have it. */
export interface StoredChoice extends ChoiceRow {
  readonly people: number;
}

/** Returns the stored choices that a form no longer contains. */
export function listRemovedChoices(
  stored: readonly StoredChoice[],
  rows: readonly ChoiceRow[],
): readonly StoredChoice[] {
  const kept = new Set(rows.filter(isFilled).map(({ key }) => key));
  return stored.filter(({ key }) => !kept.has(key));
}

/** Field name of the buttons of the editor, which save nothing. */
export const DRAFT_FIELD = "draft";

/**
 * Returns the rows after a button of the editor: `add`, `sort`, `move 2 0`, `remove 2` or `restore KEY`; unchanged for
 * anything else.
 */
export function applyDraft(
  rows: readonly ChoiceRow[],
  draft: string,
  { language, stored }: { language: string; stored: readonly StoredChoice[] },
): readonly ChoiceRow[] {
  const [name = "", ...values] = draft.split(" ");
  const [at = -1, to = -1] = values.map(Number);
  const row = rows[at];
  switch (name) {
    case "add":
      return [...rows, { key: "", text: "" }];
    case "sort":
      return sortRows(rows, language);
    case "move":
      return row === undefined || to < 0 || to >= rows.length
        ? rows
        : rows.toSpliced(at, 1).toSpliced(to, 0, row);
    case "remove":
      return rows.filter((other) => other !== row);
    case "restore":
      return restoreChoice(rows, stored.find(({ key }) => key === values.join(" ")));
    default:
      return rows;
  }
}

function isFilled({ text }: ChoiceRow): boolean {
  return text.trim() !== "";
}

/** Returns the rows sorted by text in the language's order; empty ones last. */
function sortRows(rows: readonly ChoiceRow[], language: string): readonly ChoiceRow[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return rows.toSorted((one, other) =>
    Number(isFilled(other)) - Number(isFilled(one)) || compare(one.text.trim(), other.text.trim())
  );
}

/** Returns the rows with a stored choice restored, before the empty ones at the end. */
function restoreChoice(
  rows: readonly ChoiceRow[],
  choice: StoredChoice | undefined,
): readonly ChoiceRow[] {
  if (choice === undefined) return rows;
  const { key, text } = choice;
  const others = rows.filter((row) => row.key !== key);
  return others.toSpliced(others.findLastIndex(isFilled) + 1, 0, { key, text });
}
