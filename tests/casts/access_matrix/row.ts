import type { TestParams } from "@/tests/helpers/chat.ts";
import { type CallerName, CALLERS, type MatrixCaller } from "./callers.ts";
import type { MatrixOrganization, MatrixTargets, Target } from "./organization.ts";

/**
 * Outcomes of a request: `+` allowed, `?` answered like a request for an object that does not exist, `-` refused
 * otherwise, `x` refused to the caller's role or kind of account before the object matters, `!` refused without
 * valid credentials.
 */
export type Outcome = "+" | "?" | "-" | "x" | "!";

/** A kind of objects. */
export type Kind = keyof MatrixTargets;

/** A request of one caller for one object. */
export interface Cell {
  readonly org: MatrixOrganization;
  readonly targets: MatrixTargets;
  readonly caller: MatrixCaller;
  readonly target: Target;
}

/** Requests of a row; a path parameter without a value holds the target's id. */
export interface RowRequest {
  /** Distinguishes rows of one operation. */
  readonly title?: string;
  readonly path?: (cell: Cell) => Readonly<Record<string, number | string>>;
  readonly params?: (cell: Cell) => TestParams;
  /** Whether the operation lists objects: an object is allowed if the answer contains its name. */
  readonly isList?: boolean;
  /** Whether the operation lists ids: an object is allowed if the answer contains its id. */
  readonly listsIds?: boolean;
  /** Whether the body contains a file. */
  readonly hasFile?: boolean;
}

/** An operation on the objects of one kind, with the expected outcomes of each object by caller. */
export interface Row {
  readonly operation: string;
  readonly kind: Kind;
  readonly request: RowRequest;
  readonly expected: ReadonlyMap<string, ReadonlyMap<CallerName, string>>;
}

/** Outcomes of all callers, grouped as none and spectator, guests, members and above, bot, and the others. */
const OUTCOMES = /^\s*([-+?x!]{2} [-+?x!]{2} [-+?x!]{4} [-+?x!] [-+?x!]{2}) +(\S.*)$/;

/** Reads the table of a row. */
type RowTable = (lines: TemplateStringsArray) => Row;

/**
 * Creates a row of an operation of the chat API, followed by its table. Each line of the table has an outcome
 * for each caller, in the order of the columns, and the visibilities of the objects with these outcomes.
 * @throws Error for a line of another form.
 */
export function row(operation: string, kind: Kind, request: RowRequest = {}): RowTable {
  return siteRow(operation.replace(" ", " /api/v1"), kind, request);
}

/**
 * Creates a row of an operation outside the chat API.
 * @throws Error as `row`.
 */
export function siteRow(operation: string, kind: Kind, request: RowRequest = {}): RowTable {
  return ([table = ""]) => ({ operation, kind, request, expected: parseTable(table) });
}

function parseTable(table: string): Row["expected"] {
  const expected = new Map<string, ReadonlyMap<CallerName, string>>();
  for (const line of table.split("\n").filter((text) => text.trim() !== "")) {
    const [, outcomes, names] = OUTCOMES.exec(line) ?? [];
    if (outcomes === undefined || names === undefined) throw new Error(`Not a line of a table: ${line}`);
    const columns = [...outcomes.replaceAll(" ", "")];
    const byCaller = new Map(CALLERS.map((caller, at) => [caller, columns[at] ?? ""]));
    for (const name of names.split(" ")) expected.set(name, byCaller);
  }
  return expected;
}

/** Returns the name of a row for reports. */
export function titleOf({ operation, kind, request: { title } }: Row): string {
  return [operation, `(${kind}${title === undefined ? "" : `, ${title}`})`].join(" ");
}
