import assert from "node:assert/strict";
import type { RenderContext } from "@/lib/chat/organization/rendering/context.ts";
import { renderMath } from "@/lib/chat/organization/rendering/render_math.ts";
import { renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { isMathAttribute, isMathTag } from "./math_markup.ts";

/** Users, groups, channels and emoji of the rendering tests. */
export const CONTEXT: RenderContext = {
  findUser: (name, id) =>
    [{ id: 7, full_name: "Ann Lee" }, { id: 8, full_name: "Ann Lee" }, { id: 9, full_name: "<b>Bo</b>" }]
      .find((user) => (name === "" || user.full_name === name) && (id === null || user.id === id)) ?? null,
  findGroup: (name) => name === "devs" ? { id: 3, name } : null,
  findChannel: (name) => name === "design team" ? { id: 4, name } : null,
  findEmoji: (name) => {
    if (name === "logo") return { code: "1", type: "realm_emoji", url: "/user_avatars/1/emoji/1.png" };
    if (name === "v1.2") return { code: "3", type: "realm_emoji", url: "/user_avatars/1/emoji/3.png" };
    if (name === "away") return { code: "2", type: "realm_emoji", url: "https://elsewhere.example/1.png" };
    return null;
  },
  linkify: (text) =>
    [...text.matchAll(/#(\d+)/g)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      url: `https://tickets.example/${match[1]}`,
    })),
  renderMath,
  previewsImages: true,
  translateEmoticons: true,
  realmUrl: "https://chat.example",
};

/** Renders a message to HTML in the test context. */
export function renderHtml(content: string, changes: Partial<RenderContext> = {}): string {
  return renderMessage(content, { ...CONTEXT, ...changes }).html;
}

/** A start tag of parsed HTML. */
export interface ScannedTag {
  readonly name: string;
  /** Values with character references resolved. */
  readonly attributes: ReadonlyMap<string, string>;
}

const VOID = ["br", "hr", "img"];
const PART = /([^<>]+)|<\/([a-z][a-z0-9]*)>|<([a-z][a-z0-9]*)((?: [A-Za-z][A-Za-z0-9-]*="[^"<>]*")*)>/y;

/**
 * Parses HTML by a grammar narrower than that of browsers and independent of the sanitizer: text without
 * angle brackets, quoted attributes, properly nested elements. Fails on anything else.
 */
export function scanHtml(html: string): { tags: ScannedTag[]; text: string; depth: number } {
  const tags: ScannedTag[] = [];
  const open: string[] = [];
  let text = "";
  let depth = 0;
  const part = new RegExp(PART);
  while (part.lastIndex < html.length) {
    const at = part.lastIndex;
    const match = part.exec(html);
    assert.ok(match, `no markup at ${at}: ${JSON.stringify(html.slice(at, at + 60))}`);
    const [, messages, closing, name, written = ""] = match;
    if (messages !== undefined) text += resolve(messages);
    else if (closing !== undefined) assert.equal(open.pop(), closing, "an element is closed out of order");
    else if (name !== undefined) {
      tags.push({ name, attributes: readAttributes(written) });
      if (!VOID.includes(name)) open.push(name);
      depth = Math.max(depth, open.length);
    }
  }
  assert.deepEqual(open, [], "elements stay open");
  return { tags, text, depth };
}

function readAttributes(written: string): ReadonlyMap<string, string> {
  const found = [...written.matchAll(/ ([A-Za-z][A-Za-z0-9-]*)="([^"]*)"/g)].map((
    [, name = "", value = ""],
  ) => [name, resolve(value)] as const);
  assert.equal(new Set(found.map(([name]) => name)).size, found.length, "an attribute stands twice");
  return new Map(found);
}

function resolve(text: string): string {
  assert.doesNotMatch(text, /&(?!amp;|lt;|gt;|quot;)/, "an ampersand is not escaped");
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll(
    "&amp;",
    "&",
  );
}

const CLASSES =
  /^(?:stream|stream-topic|message-link|user-mention|user-group-mention|topic-mention|channel-wildcard-mention|silent|timestamp-error|emoji|emoji-[0-9a-f-]+|codehilite|spoiler-block|spoiler-header|spoiler-content|math|message_inline_image)$/;
const HREF = /^(?:https?:\/\/[^/\\\s]|mailto:[^\s\\]|\/(?![/\\])|#)[^\s\\]*$/i;
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  "a href": HREF,
  "a title": /^/,
  "a data-stream-id": /^\d+$/,
  "span data-user-id": /^(?:\d+|\*)$/,
  "span data-user-group-id": /^\d+$/,
  "span aria-label": /^/,
  "span role": /^img$/,
  "span title": /^/,
  "img alt": /^:.+:$/,
  "img src": /^\/(?![/\\])[^\s\\]*$/,
  "img title": /^/,
  "div aria-hidden": /^true$/,
  "div data-code-language": /^\S+(?: only)?$/,
  "time datetime": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  "ol start": /^\d+$/,
  "th align": /^(?:left|center|right)$/,
  "td align": /^(?:left|center|right)$/,
};
const TAGS = [
  ..."p br hr a em strong del code pre span div blockquote ul ol li img time".split(" "),
  ..."h1 h2 h3 h4 h5 h6 table thead tbody tr th td".split(" "),
];

/** Asserts that HTML contains only tags, attributes, classes and URLs that a message may have. */
export function assertHarmless(html: string): void {
  for (const { name, attributes } of scanHtml(html).tags) {
    assert.ok(TAGS.includes(name) || isMathTag(name), `<${name}> is not allowed`);
    for (const [attribute, value] of attributes) {
      if (isMathAttribute(name, attribute, value)) continue;
      if (attribute === "class") {
        for (const item of value.split(" ")) assert.match(item, CLASSES);
      } else {
        const pattern = ATTRIBUTES[`${name} ${attribute}`];
        assert.ok(pattern, `${attribute} of <${name}> is not allowed`);
        assert.match(value, pattern, `${attribute} of <${name}>`);
      }
    }
  }
}
