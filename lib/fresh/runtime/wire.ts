// Island props travel as a table; negative references stand for what JSON cannot say.

/** `undefined` in a props table. */
export const WIRE_UNDEFINED = -1;
/** `null` in a props table. */
export const WIRE_NULL = -2;
/** `NaN` in a props table. */
export const WIRE_NAN = -3;
/** `Infinity` in a props table. */
export const WIRE_INFINITY = -4;
/** `-Infinity` in a props table. */
export const WIRE_NEGATIVE_INFINITY = -5;
/** `-0` in a props table. */
export const WIRE_NEGATIVE_ZERO = -6;

/**
 * A row of the table: text, numbers and booleans as they are; an array as its items' references; an object as its
 * values' references; anything else as its type's name, followed by its parts.
 */
export type WireRow =
  | string
  | number
  | boolean
  | number[]
  | [type: string, ...parts: (string | number)[]]
  | { [key: string]: number };
