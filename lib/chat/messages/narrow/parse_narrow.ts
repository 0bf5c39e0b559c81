import { codePointLength, splitList } from "@/lib/core/text.ts";
import { normalizeTopic } from "@/lib/chat/topics/model.ts";
import {
  CHANNELS_OPERANDS,
  type Condition,
  HAS_OPERANDS,
  IN_OPERANDS,
  invalidNarrow,
  IS_OPERANDS,
  type Operand,
  type UnresolvedTerm,
  type WireTerm,
} from "./model/narrow.ts";
import { parseSearch, type SearchQuery } from "./model/search_words.ts";

/** Maximum length of a search text, in code points; bounds the cost of matching one message. */
const MAX_SEARCH = 500;

type OperandParser = (operand: Operand) => Condition<number | string, number | string>;

const channel: OperandParser = (operand) => ({ kind: "channel", channel: parseSingle(operand) });
const channels: OperandParser = (operand) => ({
  kind: "channels",
  which: parseChoice("channels", CHANNELS_OPERANDS, operand),
});
const topic: OperandParser = (operand) => ({
  kind: "topic",
  topic: normalizeTopic(String(parseSingle(operand))),
});
const dm: OperandParser = (operand) => ({ kind: "dm", users: parseList(operand) });
const dmIncluding: OperandParser = (operand) => ({ kind: "dm-including", users: parseList(operand) });

/** Parsers by operator, including aliases. */
const OPERAND_PARSERS: ReadonlyMap<string, OperandParser> = new Map<string, OperandParser>([
  ["channel", channel],
  ["stream", channel],
  ["channels", channels],
  ["streams", channels],
  ["topic", topic],
  ["subject", topic],
  ["dm", dm],
  ["pm-with", dm],
  ["dm-including", dmIncluding],
  ["group-pm-with", dmIncluding],
  ["sender", (operand) => ({ kind: "sender", user: parseSingle(operand) })],
  ["mentions", (operand) => ({ kind: "mentions", user: parseSingle(operand) })],
  ["in", (operand) => ({ kind: "in", what: parseChoice("in", IN_OPERANDS, operand) })],
  ["is", (operand) => ({
    kind: "is",
    what: parseChoice("is", IS_OPERANDS, operand === "private" ? "dm" : operand),
  })],
  ["has", (operand) => ({ kind: "has", what: parseChoice("has", HAS_OPERANDS, operand) })],
  ["id", (operand) => ({ kind: "id", id: parseMessageId(operand) })],
  ["near", (operand) => ({ kind: "near", id: parseMessageId(operand) })],
  ["with", (operand) => ({ kind: "with", id: parseMessageId(operand) })],
  ["search", (operand) => ({ kind: "search", query: parseSearchOperand(operand) })],
]);

/** Returns whether narrows can contain an operator. */
export function isNarrowOperator(operator: string): boolean {
  return OPERAND_PARSERS.has(operator);
}

/**
 * Parses the terms of a narrow, all of which a message must satisfy.
 * @throws AppError BAD_REQUEST for an unknown operator or an invalid operand.
 */
export function parseNarrow(wire: readonly WireTerm[]): UnresolvedTerm[] {
  return wire.map(({ operator, operand, negated }) => {
    const parse = OPERAND_PARSERS.get(operator);
    if (parse === undefined) throw invalidNarrow("unknown operator");
    return { ...parse(operand), negated };
  });
}

function parseSingle(operand: Operand): number | string {
  if (typeof operand === "object") throw invalidNarrow("operand is not one value");
  return operand;
}

function parseList(operand: Operand): (number | string)[] {
  if (typeof operand === "number") return [operand];
  return typeof operand === "object" ? [...operand] : splitList(operand).map((part) => parseId(part) ?? part);
}

function parseMessageId(operand: Operand): number {
  const id = typeof operand === "string" ? parseId(operand) : operand;
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 0) {
    throw invalidNarrow("Invalid message ID");
  }
  return id;
}

function parseId(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function parseSearchOperand(operand: Operand): SearchQuery {
  const text = String(parseSingle(operand));
  if (codePointLength(text) <= MAX_SEARCH) return parseSearch(text);
  throw invalidNarrow(`search is too long (limit: ${MAX_SEARCH} characters)`);
}

function parseChoice<T extends string>(operator: string, choices: readonly T[], operand: Operand): T {
  const found = choices.find((choice) => choice === operand);
  if (found !== undefined) return found;
  throw invalidNarrow(`unknown '${operator}' operand ${String(parseSingle(operand))}`);
}
