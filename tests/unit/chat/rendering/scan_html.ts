import assert from "node:assert/strict";

/** A start tag as it stands in markup. */
export interface ScannedTag {
  readonly name: string;
  /** Values with character references resolved. */
  readonly attributes: ReadonlyMap<string, string>;
}

const VOID = ["br", "hr", "img"];
const PART = /([^<>]+)|<\/([a-z][a-z0-9]*)>|<([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/y;

/**
 * Reads markup by a grammar narrower than that of browsers, written apart from the sanitiser: text without angle
 * brackets, quoted attributes, each element closed in its order. Whatever is not of that grammar fails.
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
    const [, words, closing, name, written = ""] = match;
    if (words !== undefined) text += resolve(words);
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
  const found = [...written.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) =>
    [name, resolve(value)] as const
  );
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
  /^(?:stream|stream-topic|message-link|user-mention|user-group-mention|topic-mention|channel-wildcard-mention|silent|timestamp-error|emoji|emoji-[0-9a-f-]+|codehilite|spoiler-block|spoiler-header|spoiler-content|math)$/;
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

/** Fails where markup holds a tag, an attribute, a class or an address that a message may not have. */
export function assertHarmless(html: string): void {
  for (const { name, attributes } of scanHtml(html).tags) {
    assert.ok(TAGS.includes(name), `<${name}> is not allowed`);
    for (const [attribute, value] of attributes) {
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
