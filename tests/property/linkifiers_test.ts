import assert from "node:assert/strict";
import { compileLinkifier, createLinkify } from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import {
  findLinkifierProblems,
  previewLinkifier,
  reverseLinkifier,
} from "@/lib/chat/messages/linkifiers/model/validate_linkifier.ts";
import { expandUriTemplate, parseUriTemplate } from "@/lib/chat/messages/linkifiers/model/uri_template.ts";
import { renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { renderTopicLinks } from "@/lib/chat/organization/rendering/urls.ts";
import { linkifierFields } from "@/tests/casts/linkifiers_cast.ts";
import { assertHarmless, CONTEXT } from "@/tests/casts/rendering_cast.ts";
import fc, { codePoint, numberOfRuns } from "@/tests/helpers/fast_check.ts";

const PATTERN_PARTS =
  "# a b x \\d \\w + * ? ( ) (?: (?P<x> (?P<y> | [a-c] \\pL . \\S {2} ^ $ \\b (?i) \\Q TKT- \\s <".split(" ");
const TEMPLATE_PARTS = [
  ..."https:// http:// mailto: javascript: data: x.example / {x} {+x} {y} {?x,y} {#y:2} {/x*} @ ? # \" ' < > } {"
    .split(" "),
  "\t",
  "é",
];
const TEXT_PARTS = [
  ..."# a b x 1 2 TKT- ( ) , : ' \" < > & javascript: https://x.example/ é 😀 _ - ` ** [a](/b) \ud83d".split(
    " ",
  ),
  " ",
  " ",
  "\n",
  "\t",
];

function joined(parts: readonly string[], maxLength: number) {
  return fc.array(fc.constantFrom(...parts), { maxLength }).map((chosen) => chosen.join(""));
}

const linkifier = fc.record({
  pattern: fc.oneof(
    joined(PATTERN_PARTS, 8),
    fc.constantFrom("#(?P<x>\\d+)", "(?P<x>\\S+)", "(?P<x>.+)", "TKT-(?P<y>\\d*)"),
    fc.string({ unit: codePoint, maxLength: 12 }),
  ),
  template: fc.oneof(
    joined(TEMPLATE_PARTS, 6),
    fc.constantFrom(
      "https://x.example/{x}",
      "{+x}",
      "https://{+x}",
      "javascript:{+x}",
      "https://x.example/{?x,y}",
    ),
  ),
}).map(({ pattern, template }) => linkifierFields(pattern, template));
const linkifiers = fc.array(linkifier, { maxLength: 6 });
const text = fc.oneof(joined(TEXT_PARTS, 40), fc.string({ unit: codePoint, maxLength: 60 }));
const RUNS = numberOfRuns(700);

Deno.test("createLinkify() finds deterministic, non-overlapping absolute links within the text", () => {
  fc.assert(
    fc.property(linkifiers, text, (all, message) => {
      const compiled = all.map(compileLinkifier).filter((one) => one !== null);
      const found = createLinkify(compiled)(message);
      assert.deepEqual(createLinkify(compiled)(message), found);
      let from = 0;
      for (const { start, end, url } of found.toSorted((one, other) => one.start - other.start)) {
        assert.ok(start >= from && end > start && end <= message.length);
        assert.match(url, /^(?:https?:\/\/|mailto:)[\x21-\x7e]+$/i);
        assert.match(message.slice(0, start), /(?:^|[\s\u0085'"(,:<])$/);
        assert.doesNotMatch(message.slice(end), /^[\p{L}\p{N}]/u);
        from = end;
      }
    }),
    RUNS,
  );
});

Deno.test("rendered messages and topics are harmless with any linkifiers", () => {
  fc.assert(
    fc.property(linkifiers, text, (all, message) => {
      const compiled = all.map(compileLinkifier).filter((one) => one !== null);
      assertHarmless(renderMessage(message, { ...CONTEXT, linkify: createLinkify(compiled) }).html);
      for (const link of renderTopicLinks(message, createLinkify(compiled))) {
        assert.match(link.url, /^(?:https?:\/\/|mailto:)/i);
        assert.ok(message.includes(link.text));
      }
    }),
    RUNS,
  );
});

Deno.test("a linkifier without problems compiles, and validation and previews never throw", () => {
  fc.assert(
    fc.property(linkifier, text, text, (one, example, reverse) => {
      const whole = { ...one, example_input: example, reverse_template: reverse };
      if (findLinkifierProblems(whole, []).length === 0) assert.notEqual(compileLinkifier(whole), null);
      previewLinkifier(whole, example, { others: [], position: 0 });
      reverseLinkifier(whole, example);
    }),
    RUNS,
  );
});

Deno.test("expandUriTemplate() encodes any value of a variable within its position", () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (value) => {
      const template = parseUriTemplate("https://x.example/a{x}b");
      assert.ok(template !== null);
      const url = expandUriTemplate(template, new Map([["x", value]]));
      assert.match(url, /^https:\/\/x\.example\/a(?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*b$/);
      assert.equal(decodeURIComponent(url.slice(19, -1)), value.toWellFormed());
    }),
    RUNS,
  );
});
