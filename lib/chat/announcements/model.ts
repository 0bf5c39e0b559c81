import type { UserRecord } from "../users/model.ts";

/** Formats a silent mention of a user, which notifies no one. */
export function silentMention({ full_name, id }: UserRecord): string {
  return `@_**${full_name}|${id}**`;
}

/** Formats text as a quote block whose fence is longer than any run of backticks in it. */
export function quoteMarkdown(text: string): string {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence} quote\n${text === "" ? "*No description.*" : text}\n${fence}`;
}
