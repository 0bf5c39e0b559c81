import { DAYS, PLACES, TIMES } from "./content/sentences.ts";
import type { Draw } from "./draw.ts";

/** Values of the placeholders of a sentence that depend on its conversation. */
export interface Subject {
  /** Things that the conversation is about. */
  readonly things: readonly string[];
  /** Full name of the person who wrote before. */
  readonly previous: string;
  /** Full name of another person. */
  readonly silent: string;
}

/** Replaces the placeholders of a sentence by drawn values, with a capital letter at its start. */
export function composeText(draw: Draw, template: string, { things, previous, silent }: Subject): string {
  const [thing = "the shed", other = "the hose"] = draw.sample(things, 2);
  const values: Readonly<Record<string, () => string>> = {
    thing: () => thing,
    other: () => other,
    name: () => `@**${previous}**`,
    silent: () => silent,
    place: () => draw.pick(PLACES),
    day: () => draw.pick(DAYS),
    time: () => draw.pick(TIMES),
    n: () => `${draw.between(2, 19)}`,
  };
  const text = template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name]?.() ?? whole);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
