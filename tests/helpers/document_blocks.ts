import createParser from "markdown-it";
import { PROJECT } from "./server.ts";

/** A code block of a Markdown document. */
export interface DocumentBlock {
  /** Title of the section that the block is in. */
  readonly section: string;
  readonly language: string;
  readonly code: string;
  /** File that the line before the block names at its end, in the form `` `bot.ts`: ``; null without one. */
  readonly file: string | null;
}

/** Returns the code blocks of a Markdown document of the project, in order. */
export async function readDocumentBlocks(path: string): Promise<DocumentBlock[]> {
  const text = await Deno.readTextFile(PROJECT + path);
  const lines = text.split("\n");
  const tokens = createParser().parse(text, {});
  let section = "";
  return tokens.flatMap((token, index) => {
    if (tokens[index - 1]?.type === "heading_open") section = token.content;
    if (token.type !== "fence") return [];
    const before = lines.slice(0, token.map?.[0] ?? 0).findLast((line) => line.trim() !== "") ?? "";
    const file = /`([^`\s]+)`:$/.exec(before)?.[1] ?? null;
    return [{ section, language: token.info.trim(), code: token.content, file }];
  });
}

/** Returns a pattern for output as a document shows it: with any numbers, and `…` for any text. */
export function toOutputPattern(shown: string): RegExp {
  const parts = shown.split(/(…|\d+)/).map((part, at) => {
    if (at % 2 === 0) return RegExp.escape(part);
    return part === "…" ? ".*" : "\\d+";
  });
  return new RegExp(`^${parts.join("")}$`);
}
