/** A choice as it stands in a form: the key that values name it by, empty while it is new, and its text. */
export interface ChoiceRow {
  readonly key: string;
  readonly text: string;
}

/** A choice that is stored, and how many people have it. */
export interface StoredChoice extends ChoiceRow {
  readonly people: number;
}

/** The rows of a form, of its fields in their order. */
export function rowsOf(keys: readonly string[], texts: readonly string[]): readonly ChoiceRow[] {
  return texts.map((text, at) => ({ key: keys[at] ?? "", text }));
}

/** The same rows with one that is empty behind them. */
export function withEmptyEnd<Row extends ChoiceRow>(
  rows: readonly Row[],
  makeEmpty: () => Row,
): readonly Row[] {
  const last = rows.at(-1);
  return last === undefined || last.text.trim() !== "" || last.key !== "" ? [...rows, makeEmpty()] : rows;
}

/** The rows after one was put at another place; the same where there is no such place. */
export function movedRow<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length) return rows;
  const others = rows.toSpliced(from, 1);
  return others.toSpliced(to, 0, row);
}

/** The rows by their texts as the language orders them; empty ones last. */
export function sortedRows<Row extends ChoiceRow>(rows: readonly Row[], language: string): readonly Row[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const isEmpty = ({ text }: Row) => text.trim() === "";
  return [
    ...rows.filter((row) => !isEmpty(row)).sort((one, other) => compare(one.text.trim(), other.text.trim())),
    ...rows.filter(isEmpty),
  ];
}

/** The stored choices that a form has no more. */
export function droppedOf(
  stored: readonly StoredChoice[],
  rows: readonly ChoiceRow[],
): readonly StoredChoice[] {
  const kept = new Set(rows.filter(({ text }) => text.trim() !== "").map(({ key }) => key));
  return stored.filter(({ key }) => !kept.has(key));
}

/** What the buttons of the choices are sent as, without script. */
export const DRAFT_FIELD = "draft";

/** The rows after a button was pressed without script: `add`, `sort`, `up 2`, `down 2`, `remove 2` or `restore KEY`. */
export function arrangedRows(
  rows: readonly ChoiceRow[],
  command: string,
  { language, stored }: { language: string; stored: readonly StoredChoice[] },
): readonly ChoiceRow[] {
  const [name = "", ...words] = command.split(" ");
  const rest = words.join(" ");
  const at = Number.parseInt(rest, 10);
  switch (name) {
    case "add":
      return [...rows, { key: "", text: "" }];
    case "sort":
      return sortedRows(rows, language);
    case "up":
      return movedRow(rows, at, at - 1);
    case "down":
      return movedRow(rows, at, at + 1);
    case "remove":
      return rows.filter((_, place) => place !== at);
    case "restore":
      return restored(rows, stored.find(({ key }) => key === rest));
    default:
      return rows;
  }
}

/** The rows with a stored choice among them again, before the empty ones at the end. */
export function restored<Row extends ChoiceRow>(
  rows: readonly Row[],
  choice: Row | undefined,
): readonly Row[] {
  if (choice === undefined) return rows;
  const others = rows.filter(({ key }) => key !== choice.key);
  const end = others.findLastIndex(({ text }) => text.trim() !== "") + 1;
  return others.toSpliced(end, 0, choice);
}
