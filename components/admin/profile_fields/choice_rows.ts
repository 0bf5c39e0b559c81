/** A choice in a form: its text, and the key that answers refer to, empty for a new choice. */
export interface ChoiceRow {
  readonly key: string;
  readonly text: string;
}

/** A stored choice, and the number of users with this answer. */
export interface StoredChoice extends ChoiceRow {
  readonly people: number;
}

/** Returns the rows of a form from its fields, in their order. */
export function toChoiceRows(keys: readonly string[], texts: readonly string[]): readonly ChoiceRow[] {
  return texts.map((text, at) => ({ key: keys[at] ?? "", text }));
}

/** Returns the rows with one empty row at the end. */
export function withEmptyLastRow<Row extends ChoiceRow>(
  rows: readonly Row[],
  makeEmpty: () => Row,
): readonly Row[] {
  const last = rows.at(-1);
  return last === undefined || last.text.trim() !== "" || last.key !== "" ? [...rows, makeEmpty()] : rows;
}

/** Returns the rows with one moved to another position; unchanged if there is no such position. */
export function moveRow<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length) return rows;
  const others = rows.toSpliced(from, 1);
  return others.toSpliced(to, 0, row);
}

/** Returns the rows sorted by text in the language's order; empty ones last. */
export function sortRows<Row extends ChoiceRow>(rows: readonly Row[], language: string): readonly Row[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const isEmpty = ({ text }: Row) => text.trim() === "";
  return [
    ...rows.filter((row) => !isEmpty(row)).sort((one, other) => compare(one.text.trim(), other.text.trim())),
    ...rows.filter(isEmpty),
  ];
}

/** Returns the stored choices that a form no longer contains. */
export function listRemovedChoices(
  stored: readonly StoredChoice[],
  rows: readonly ChoiceRow[],
): readonly StoredChoice[] {
  const kept = new Set(rows.filter(({ text }) => text.trim() !== "").map(({ key }) => key));
  return stored.filter(({ key }) => !kept.has(key));
}

/** Field name of the choice buttons without JavaScript. */
export const DRAFT_FIELD = "draft";

/**
 * Returns the rows after a button without JavaScript: `add`, `sort`, `up 2`, `down 2`, `remove 2` or `restore
 * KEY`.
 */
export function applyDraftAction(
  rows: readonly ChoiceRow[],
  command: string,
  { language, stored }: { language: string; stored: readonly StoredChoice[] },
): readonly ChoiceRow[] {
  const [name = "", ...messages] = command.split(" ");
  const rest = messages.join(" ");
  const at = Number.parseInt(rest, 10);
  switch (name) {
    case "add":
      return [...rows, { key: "", text: "" }];
    case "sort":
      return sortRows(rows, language);
    case "up":
      return moveRow(rows, at, at - 1);
    case "down":
      return moveRow(rows, at, at + 1);
    case "remove":
      return rows.filter((_, place) => place !== at);
    case "restore":
      return restoreChoice(rows, stored.find(({ key }) => key === rest));
    default:
      return rows;
  }
}

/** Returns the rows with a stored choice restored, before the empty ones at the end. */
export function restoreChoice<Row extends ChoiceRow>(
  rows: readonly Row[],
  choice: Row | undefined,
): readonly Row[] {
  if (choice === undefined) return rows;
  const others = rows.filter(({ key }) => key !== choice.key);
  const end = others.findLastIndex(({ text }) => text.trim() !== "") + 1;
  return others.toSpliced(end, 0, choice);
}
