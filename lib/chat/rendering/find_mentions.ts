import { normalizeContent, parseChannelLink, parseEmojiName, parseMention } from "./syntax.ts";

/** Distinct names in a content; a superset of those that rendering looks up. */
export interface FoundMentions {
  readonly users: readonly { readonly name: string; readonly id: number | null }[];
  readonly groups: readonly string[];
  readonly channels: readonly string[];
  readonly emoji: readonly string[];
}

/** Finds the names to look up before rendering, in linear time; does not exclude code. */
export function findMentions(content: string): FoundMentions {
  const users = new Map<string, { name: string; id: number | null }>();
  const groups = new Set<string>();
  const channels = new Set<string>();
  const emoji = new Set<string>();
  // Table cells write a bar as `\|`.
  const normal = normalizeContent(content);
  const readings = normal.includes("\\|") ? [normal, normal.replaceAll("\\|", "|")] : [normal];
  for (const text of readings) {
    for (const { index, 0: sign } of text.matchAll(/[@#:]/g)) {
      if (sign === "@") {
        const target = parseMention(text, index)?.target;
        if (target?.kind === "user") {
          users.set(`${target.id}|${target.name}`, { name: target.name, id: target.id });
        } else if (target?.kind === "group") groups.add(target.name);
      } else if (sign === "#") {
        const channel = parseChannelLink(text, index)?.channel;
        if (channel !== undefined) channels.add(channel);
      } else {
        const name = parseEmojiName(text, index);
        if (name !== null) emoji.add(name);
      }
    }
  }
  return { users: [...users.values()], groups: [...groups], channels: [...channels], emoji: [...emoji] };
}
