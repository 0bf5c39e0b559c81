import { computed, signal } from "@preact/signals";
import {
  WIRE_INFINITY,
  WIRE_NAN,
  WIRE_NEGATIVE_INFINITY,
  WIRE_NEGATIVE_ZERO,
  WIRE_NULL,
  WIRE_UNDEFINED,
  type WireRow,
} from "../runtime/wire.ts";

const SPECIAL_VALUES: ReadonlyMap<number, unknown> = new Map<number, unknown>([
  [WIRE_UNDEFINED, undefined],
  [WIRE_NULL, null],
  [WIRE_NAN, NaN],
  [WIRE_INFINITY, Infinity],
  [WIRE_NEGATIVE_INFINITY, -Infinity],
  [WIRE_NEGATIVE_ZERO, -0],
]);

type Part = string | number;
type Read = (reference: number) => unknown;

/** The value that the server serialized; equal references are one object again. */
export function revive(text: string, slot: (id: number) => unknown): unknown {
  const [root, ...rows]: [number, ...WireRow[]] = JSON.parse(text);
  const values = new Map<number, unknown>(SPECIAL_VALUES);

  const read: Read = (reference) => {
    if (!values.has(reference)) {
      reviveRow(rows[reference], {
        read,
        slot,
        keep: (value) => values.set(reference, value),
      });
    }
    return values.get(reference);
  };
  return read(root);
}

interface Reviving {
  read: Read;
  slot: (id: number) => unknown;
  /** Must be called before the parts are read, so that they may refer back to the whole. */
  keep: (value: unknown) => void;
}

function reviveRow(row: WireRow | undefined, { read, slot, keep }: Reviving): void {
  if (!(row instanceof Object)) return keep(row);
  if (!Array.isArray(row)) {
    const object = {};
    keep(object);
    for (const [key, reference] of Object.entries(row)) {
      defineValue(object, key, read(reference));
    }
    return;
  }
  const [type, ...parts] = row;
  if (typeof type === "string") {
    return reviveTyped(type, parts, { read, slot, keep });
  }
  const list: unknown[] = [];
  keep(list);
  for (const reference of row) list.push(read(Number(reference)));
}

/** Sets a property even if it is named like one that objects inherit. */
function defineValue(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function reviveTyped(type: string, parts: Part[], { read, slot, keep }: Reviving): void {
  const [first = "", second = ""] = parts;
  switch (type) {
    case "Slot":
      return keep(slot(Number(first)));
    case "Map":
      return reviveMap(parts, read, keep);
    case "Set":
      return reviveSet(parts, read, keep);
    case "Signal": {
      const value = signal<unknown>(undefined);
      keep(value);
      value.value = read(Number(first));
      return;
    }
    case "Computed":
      return keep(computed(() => read(Number(first))));
    case "Date":
      return keep(new Date(Number(read(Number(first)))));
    default:
      return keep(fromText(type, String(first), String(second)));
  }
}

function reviveMap(parts: Part[], read: Read, keep: (value: unknown) => void): void {
  const map = new Map<unknown, unknown>();
  keep(map);
  for (let i = 0; i < parts.length; i += 2) {
    map.set(read(Number(parts[i])), read(Number(parts[i + 1])));
  }
}

function reviveSet(parts: Part[], read: Read, keep: (value: unknown) => void): void {
  const set = new Set<unknown>();
  keep(set);
  for (const part of parts) set.add(read(Number(part)));
}

function fromText(type: string, text: string, flags: string): unknown {
  switch (type) {
    case "BigInt":
      return BigInt(text);
    case "URL":
      return new URL(text);
    case "RegExp":
      return new RegExp(text, flags);
    case "Uint8Array":
      return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    default:
      return temporalFrom(type, text);
  }
}

/** @throws TypeError in a browser without Temporal. */
function temporalFrom(type: string, text: string): unknown {
  return Reflect.get(Reflect.get(globalThis, "Temporal"), type.replace("Temporal.", "")).from(text);
}
