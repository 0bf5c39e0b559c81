import { CsvError, parse } from "csv-parse/sync";
import type { ImportedUser, RefusedRow } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import {
  foldEmail,
  requireEmail,
  requireFullName,
  ROLE,
  type Role,
  ROLES,
} from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { toPageProblem } from "@/lib/pages/form_problems.ts";
import type { Phrase, PhraseValues } from "@/lib/ui/formatter.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { readCell } from "@/lib/admin/csv.ts";
import { ROLE_NAMES } from "./users_list.ts";

const texts = {
  tooMany: "The file has more than {count} users. Split it into several files.",
  syntax: "The file is not valid CSV near line {number}. Check its quotation marks.",
  role: "“{role}” is not a role. Use owner, administrator, moderator, member or guest.",
};

/** Maximum number of users in a file, which the form names. */
const MAX_IMPORTED = 5000;
/** Maximum size of a cell that is kept of a refused row, in UTF-16 units. */
const MAX_CELL = 254;
/** Maximum size of a row, in UTF-16 units. */
const MAX_ROW = 10_000;
/** Number of rows after which the event loop takes its turn. */
const SLICE = 100;

interface Row {
  /** Number of the row, as spreadsheets count. */
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Reads the users of a CSV file in UTF-8, whose first row names the columns: an address, a name, and optionally a role.
 * Cells are separated by commas, semicolons or tabs; rows without text are skipped, and those with an address in `known`
 * are refused.
 * @throws FormRefusal for a file that cannot be read as a whole.
 */
export async function parseUserCsv(request: AdminRequest, bytes: Uint8Array, known: ReadonlySet<string>) {
  const [header, ...rows] = readRows(request, bytes);
  const columns = header === undefined ? null : findColumns(header.cells);
  if (columns === null) throw refuse(request, "The first row must name the columns email and full_name.");
  if (rows.length === 0) throw refuse(request, "The file has no users.");
  const users: ImportedUser[] = [];
  const refused: RefusedRow[] = [];
  const firstRows = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    if (at % SLICE === SLICE - 1) await yieldToEventLoop();
    const user = readUser(request, row, columns);
    const address = typeof user === "string" ? "" : foldEmail(user[1]);
    const first = firstRows.get(address);
    const result = first !== undefined
      ? request.t("The address is the same as in row {first}.", { first })
      : known.has(address)
      ? request.t("A user has this address already.")
      : user;
    if (typeof result === "string") {
      const cell = (column: number) => (row.cells[column] ?? "").slice(0, MAX_CELL);
      const cells = [cell(columns.email), cell(columns.name), cell(columns.role)] as const;
      refused.push({ number: row.number, cells, reason: result });
    } else {
      firstRows.set(address, row.number);
      users.push(result);
    }
  }
  return { users, refused };
}

function refuse({ t }: AdminRequest, problem: Phrase, values?: PhraseValues): FormRefusal {
  return new FormRefusal({ file: t(problem, values) });
}

function readRows(request: AdminRequest, bytes: Uint8Array): Row[] {
  try {
    const content = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const [first = ""] = content.split(/[\r\n]/, 1);
    const delimiter = [",", ";", "\t"].find((one) => first.includes(one)) ?? ",";
    const rows: Row[] = [];
    parse(content, {
      ...{ bom: true, relax_column_count: true, skip_empty_lines: true, delimiter, max_record_size: MAX_ROW },
      // Parsing all of a file that has too many rows would take seconds.
      on_record: (record, { records, empty_lines }) => {
        const cells = record.map(readCell);
        if (!cells.some((cell) => cell !== "")) return null;
        if (rows.length > MAX_IMPORTED) throw refuse(request, texts.tooMany, { count: MAX_IMPORTED });
        rows.push({ number: records + empty_lines, cells });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (error instanceof CsvError) {
      throw refuse(request, texts.syntax, { number: Number(error["lines"]) || 1 });
    }
    if (error instanceof TypeError) {
      throw refuse(request, "The file is not UTF-8 text. Save it as CSV in UTF-8.");
    }
    throw error;
  }
}

/** Returns the indexes of the columns, which is below 0 for a missing role, and their number; null without all others. */
function findColumns(header: readonly string[]) {
  const names = header.map((cell) => cell.toLowerCase());
  const find = (...known: readonly string[]) => names.findIndex((name) => known.includes(name));
  const email = find("email", "email address", "e-mail", "mail");
  const name = find("full_name", "full name", "name");
  return email < 0 || name < 0 ? null : { email, name, role: find("role"), width: names.length };
}

/** Reads the user of a row, or returns its problem. */
function readUser(
  { t, user: viewer }: AdminRequest,
  { cells }: Row,
  columns: NonNullable<ReturnType<typeof findColumns>>,
): ImportedUser | string {
  const { length: count } = cells;
  const { width: wanted } = columns;
  if (count !== wanted) return t("The row has {count} cells instead of {wanted}.", { count, wanted });
  const roleName = cells[columns.role] ?? "";
  const role = readRole(roleName);
  if (role === null) return t(texts.role, { role: roleName.slice(0, 50) });
  if (role === ROLE.owner && viewer.role !== ROLE.owner) return t("Only owners can create owners.");
  try {
    return [requireFullName(cells[columns.name] ?? ""), requireEmail(cells[columns.email] ?? ""), role];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return toPageProblem(error);
  }
}

/** Returns the role of a name, a member without one; null for an unknown name. */
function readRole(name: string): Role | null {
  const folded = name.toLowerCase();
  if (folded === "") return ROLE.member;
  if (folded === "admin") return ROLE.administrator;
  return ROLES.find((role) => ROLE_NAMES[role] === folded) ?? null;
}
