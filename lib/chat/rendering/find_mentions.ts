import { normalizeContent, readChannelLink, readEmojiName, readMention } from "./syntax.ts";

/** What a message may name, each once; a superset of what its rendering asks for. */
export interface FoundMentions {
  readonly users: readonly { readonly name: string; readonly id: number | null }[];
  readonly groups: readonly string[];
  readonly channels: readonly string[];
  readonly emoji: readonly string[];
}

/** The names to look up before `content` is rendered, in linear time; code is not told apart from text. */
export function findMentions(content: string): FoundMentions {
  const users = new Map<string, { name: string; id: number | null }>();
  const groups = new Set<string>();
  const channels = new Set<string>();
  const emoji = new Set<string>();
  // In a table, a bar within a cell is written `\|`.
  const normal = normalizeContent(content);
  const readings = normal.includes("\\|") ? [normal, normal.replaceAll("\\|", "|")] : [normal];
  for (const text of readings) {
    for (const { index, 0: sign } of text.matchAll(/[@#:]/g)) {
      if (sign === "@") {
        const target = readMention(text, index)?.target;
        if (target?.kind === "user") {
          users.set(`${target.id}|${target.name}`, { name: target.name, id: target.id });
        } else if (target?.kind === "group") groups.add(target.name);
      } else if (sign === "#") {
        const channel = readChannelLink(text, index)?.channel;
        if (channel !== undefined) channels.add(channel);
      } else {
        const name = readEmojiName(text, index);
        if (name !== null) emoji.add(name);
      }
    }
  }
  return { users: [...users.values()], groups: [...groups], channels: [...channels], emoji: [...emoji] };
}
