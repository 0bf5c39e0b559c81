import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import type { ImportedUser } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { foldEmail, requireEmail, requireFullName, ROLE, type Role, ROLES } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { AdminRequest } from "../admin_request.ts";
import { readCell } from "../csv.ts";
import { ROLE_NAMES } from "./role_names.ts";

/** Maximum number of accounts in a file. */
export const MAX_IMPORTED = 5000;
/** Maximum number of problems that are listed. */
const MAX_PROBLEMS = 20;
/** Maximum size of a row, in UTF-16 units. */
const MAX_ROW = 10_000;
/** Number of rows after which the event loop takes its turn. */
const SLICE = 100;

/** Names of the columns, in lower case. */
const COLUMNS = {
  email: ["email", "email address", "e-mail", "mail"],
  name: ["full_name", "full name", "name"],
  role: ["role"],
} as const;

/** Accounts of a file, and the problems of its rows. */
export interface ParsedUsers {
  readonly users: readonly ImportedUser[];
  /** Sentences that begin with the number of the row. */
  readonly problems: readonly string[];
}

interface Row {
  /** Number of the row, as spreadsheets count. */
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Reads the accounts of a CSV file in UTF-8, whose first row names the columns: an address, a name, and optionally a
 * role. Cells are separated by commas, semicolons or tabs; rows without text are skipped.
 */
export async function parseUserCsv(request: AdminRequest, bytes: Uint8Array): Promise<ParsedUsers> {
  const { messages, formatter } = request;
  const text = messages.users.importProblems;
  const rows = readRows(bytes, (number) => formatter.t(text.syntax, { number }), text.encoding);
  if (!Array.isArray(rows)) return { users: [], problems: [rows.problem] };
  const [header, ...rest] = rows;
  const columns = header === undefined ? null : findColumns(header.cells);
  if (header === undefined || columns === null) return { users: [], problems: [text.columns] };
  if (rest.length === 0) return { users: [], problems: [text.empty] };
  if (rest.length > MAX_IMPORTED) {
    return { users: [], problems: [formatter.t(text.tooMany, { count: MAX_IMPORTED })] };
  }
  return await readUsers(request, rest, { ...columns, width: header.cells.length });
}

function readRows(
  bytes: Uint8Array,
  describe: (row: number) => string,
  encoding: string,
): Row[] | { readonly problem: string } {
  try {
    const content = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const [first = ""] = content.split(/[\r\n]/, 1);
    const delimiter = [",", ";", "\t"].find((one) => first.includes(one)) ?? ",";
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true } as const;
    const parsed = parse(content, { ...options, delimiter, max_record_size: MAX_ROW });
    return parsedRows.parse(parsed).map(({ record, info }) => ({
      number: info.records + info.empty_lines,
      cells: record.map(readCell),
    })).filter(({ cells }) => cells.some((cell) => cell !== ""));
  } catch (error) {
    if (error instanceof CsvError) return { problem: describe(Number(error["lines"]) || 1) };
    if (error instanceof TypeError) return { problem: encoding };
    throw error;
  }
}

/** Rows as the parser returns them with `info`. */
const parsedRows = z.array(z.object({
  record: z.array(z.string()),
  info: z.object({ records: z.int(), empty_lines: z.int() }),
}));

function findColumns(header: readonly string[]): { email: number; name: number; role: number } | null {
  const names = header.map((cell) => cell.toLowerCase());
  const find = (known: readonly string[]) => names.findIndex((name) => known.includes(name));
  const [email, name, role] = [find(COLUMNS.email), find(COLUMNS.name), find(COLUMNS.role)];
  return email < 0 || name < 0 ? null : { email, name, role };
}

/** Indexes of the columns, and their number. */
interface Columns {
  readonly email: number;
  readonly name: number;
  /** Below 0 without such a column. */
  readonly role: number;
  readonly width: number;
}

async function readUsers(
  request: AdminRequest,
  rows: readonly Row[],
  columns: Columns,
): Promise<ParsedUsers> {
  const { messages, formatter } = request;
  const text = messages.users.importProblems;
  const users: ImportedUser[] = [];
  const problems: string[] = [];
  const firstRows = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    if (at % SLICE === SLICE - 1) await yieldToEventLoop();
    const user = readUser(request, row, columns);
    const first = typeof user === "string" ? undefined : firstRows.get(foldEmail(user[1]));
    const problem = typeof user === "string"
      ? user
      : first === undefined
      ? null
      : formatter.t(text.duplicate, { first });
    if (problem !== null) problems.push(formatter.t(text.row, { number: row.number, problem }));
    else if (typeof user !== "string") {
      firstRows.set(foldEmail(user[1]), row.number);
      users.push(user);
    }
  }
  if (problems.length <= MAX_PROBLEMS) return { users, problems };
  const others = formatter.t(text.more, { count: problems.length - MAX_PROBLEMS });
  return { users, problems: [...problems.slice(0, MAX_PROBLEMS), others] };
}

/** Reads the account of a row, or returns its problem. */
function readUser(request: AdminRequest, { cells }: Row, columns: Columns): ImportedUser | string {
  const { messages, formatter, user: viewer } = request;
  const text = messages.users.importProblems;
  if (cells.length !== columns.width) {
    return formatter.t(text.width, { count: cells.length, wanted: columns.width });
  }
  const role = readRole(cells[columns.role] ?? "");
  if (role === null) return formatter.t(text.role, { role: (cells[columns.role] ?? "").slice(0, 50) });
  if (role === ROLE.owner && viewer.role !== ROLE.owner) return text.owner;
  try {
    return [requireFullName(cells[columns.name] ?? ""), requireEmail(cells[columns.email] ?? ""), role];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

/** Returns the role of a name, a member without one; null for an unknown name. */
function readRole(name: string): Role | null {
  const folded = name.toLowerCase();
  if (folded === "") return ROLE.member;
  if (folded === "admin") return ROLE.administrator;
  return ROLES.find((role) => ROLE_NAMES[role] === folded) ?? null;
}
