import { isValidElement } from "preact";
import { Signal } from "@preact/signals";
import {
  WIRE_INFINITY,
  WIRE_NAN,
  WIRE_NEGATIVE_INFINITY,
  WIRE_NEGATIVE_ZERO,
  WIRE_NULL,
  WIRE_UNDEFINED,
  type WireRow,
} from "../runtime/wire.ts";

/** Stands for JSX given to an island: the browser finds its HTML in the page by the id. */
export class SlotReference {
  constructor(readonly id: number) {}
}

/**
 * The JSON of a value for the browser, in which equal references stay equal.
 * @throws TypeError when it holds a function, a symbol or nested JSX.
 */
export function serialize(value: unknown): string {
  const table = new WireTable();
  const root = table.write(value);
  return JSON.stringify([root, ...table.rows]);
}

class WireTable {
  readonly rows: WireRow[] = [];
  readonly #references = new Map<unknown, number>();

  /** Adds a value, once, and gives its reference. */
  write(value: unknown): number {
    const special = specialReference(value);
    if (special !== null) return special;
    const known = this.#references.get(value);
    if (known !== undefined) return known;
    const reference = this.rows.push(0) - 1;
    this.#references.set(value, reference);
    this.rows[reference] = this.#row(value);
    return reference;
  }

  #row(value: unknown): WireRow {
    switch (typeof value) {
      case "string":
      case "number":
      case "boolean":
        return value;
      case "bigint":
        return ["BigInt", String(value)];
      case "object":
        if (value !== null) return this.#objectRow(value);
    }
    throw new TypeError(`An island cannot be given a ${typeof value} as a prop`);
  }

  #objectRow(value: object): WireRow {
    if (Array.isArray(value)) {
      return Array.from(value, (item) => this.write(item));
    }
    if (value instanceof Signal) {
      return [signalKind(value), this.write(value.peek())];
    }
    if (value instanceof SlotReference) return ["Slot", value.id];
    if (value instanceof Map) {
      return ["Map", ...[...value].flat().map((item) => this.write(item))];
    }
    if (value instanceof Set) {
      return ["Set", ...Array.from(value, (item) => this.write(item))];
    }
    if (value instanceof Date) return ["Date", this.write(value.getTime())];
    const text = textRow(value);
    if (text !== null) return text;
    if (isValidElement(value)) {
      throw new TypeError("An island takes JSX as a prop of its own, not inside one");
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.write(item)]));
  }
}

function specialReference(value: unknown): number | null {
  if (value === undefined) return WIRE_UNDEFINED;
  if (value === null) return WIRE_NULL;
  if (typeof value !== "number") return null;
  if (Number.isNaN(value)) return WIRE_NAN;
  if (value === Infinity) return WIRE_INFINITY;
  if (value === -Infinity) return WIRE_NEGATIVE_INFINITY;
  return Object.is(value, -0) ? WIRE_NEGATIVE_ZERO : null;
}

function signalKind(value: Signal): "Signal" | "Computed" {
  return Object.getPrototypeOf(value) === Signal.prototype ? "Signal" : "Computed";
}

/** The row of an object that text describes completely, or null. */
function textRow(value: object): WireRow | null {
  if (value instanceof URL) return ["URL", value.href];
  if (value instanceof RegExp) return ["RegExp", value.source, value.flags];
  if (value instanceof Uint8Array) return ["Uint8Array", toBase64(value)];
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag.startsWith("Temporal.") ? [tag, String(value)] : null;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
