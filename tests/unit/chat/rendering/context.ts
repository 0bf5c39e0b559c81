import type { RenderContext } from "@/lib/chat/rendering/context.ts";
import { renderMessage } from "@/lib/chat/rendering/render_message.ts";

/** The people, groups, channels and emoji that the tests of rendering know. */
export const CONTEXT: RenderContext = {
  findUser: (name, id) =>
    [{ id: 7, full_name: "Ann Lee" }, { id: 8, full_name: "Ann Lee" }, { id: 9, full_name: "<b>Bo</b>" }]
      .find((user) => (name === "" || user.full_name === name) && (id === null || user.id === id)) ?? null,
  findGroup: (name) => name === "devs" ? { id: 3, name } : null,
  findChannel: (name) => name === "design team" ? { id: 4, name } : null,
  findEmoji: (name) => {
    if (name === "logo") return { code: "1", type: "realm_emoji", url: "/user_avatars/1/emoji/1.png" };
    if (name === "away") return { code: "2", type: "realm_emoji", url: "https://elsewhere.example/1.png" };
    return null;
  },
  linkify: (text) =>
    [...text.matchAll(/#(\d+)/g)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      url: `https://tickets.example/${match[1]}`,
    })),
  translateEmoticons: true,
  realmUrl: "https://chat.example",
};

/** The html of a message in that context. */
export function htmlOf(content: string, changes: Partial<RenderContext> = {}): string {
  return renderMessage(content, { ...CONTEXT, ...changes }).html;
}
