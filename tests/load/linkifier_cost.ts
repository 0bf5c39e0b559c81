import { compileLinkifier, createLinkify } from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import type { RenderContext } from "@/lib/chat/organization/rendering/context.ts";
import { renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { type Row, toPlainRow } from "./table.ts";
import { medianOf } from "./wrk.ts";

const ROUNDS = 15;
const SENTENCE =
  "The seedlings that came with ORDER7-345 were planted beside #1234, as it says in note 2.10.3.";
/** 10 kB as people write it. */
const PROSE = Array.from({ length: 108 }, () => SENTENCE).join("\n").slice(0, 10_000);
/** 10 kB in one line that only the patterns below match. */
const DRONE = "a ".repeat(5000);

/** Linkifiers of each kind, by number. */
const KINDS: Readonly<Record<string, (at: number) => string>> = {
  "that start with a word": (at) => `ORDER${at}-(?P<id>\\d+)`,
  "that ignore case": (at) => `(?i)order${at}-(?P<id>\\d+)`,
};
const HOSTILE = ["^(a+)+$", "(a|a)*b", "(x+x+)+y", "(a.*z|a)", "(?:[ab ]*a[ab ]{60})|z"];
const CONTEXT: RenderContext = {
  findUser: () => null,
  findGroup: () => null,
  findChannel: () => null,
  findEmoji: () => null,
  translateEmoticons: false,
  realmUrl: "https://load.example",
};

/** Measures rendering 10 kB in this process with linkifiers, beside the same without. */
export function measureLinkifiers(): Promise<Row[]> {
  const bare = millisOf(PROSE, []);
  const bareDrone = millisOf(DRONE, []);
  return Promise.resolve([
    row("rendering 10 kB, no linkifier", bare, bare),
    ...Object.entries(KINDS).flatMap(([name, patternOf]) =>
      [50, 200].map((count) => {
        const patterns = Array.from({ length: count }, (_, at) => patternOf(at));
        return row(`rendering 10 kB, ${count} linkifiers ${name}`, millisOf(PROSE, patterns), bare);
      })
    ),
    ...HOSTILE.map((pattern) => {
      const patterns = Array.from({ length: 200 }, () => pattern);
      return row(`rendering 10 kB, 200 times ${pattern}`, millisOf(DRONE, patterns), bareDrone);
    }),
  ]);
}

function row(what: string, cost: number, bare: number): Row {
  return { ...toPlainRow(what, `${cost.toFixed(1)} ms`, "for information"), ratio: (cost / bare).toFixed(1) };
}

/** Milliseconds of rendering a text, once the linkifiers are ready. */
function millisOf(text: string, patterns: readonly string[]): number {
  const linkifiers = patterns.map((pattern) =>
    compileLinkifier({
      pattern,
      url_template: pattern.includes("?P<id>") ? "https://x.example/{id}" : "https://x.example/",
      example_input: null,
      reverse_template: null,
      alternative_url_templates: [],
    })
  ).filter((linkifier) => linkifier !== null);
  if (linkifiers.length !== patterns.length) throw new Error("A linkifier of the benchmark is not good");
  const render = () => {
    const linkify = createLinkify(linkifiers);
    return renderMessage(text, linkifiers.length === 0 ? CONTEXT : { ...CONTEXT, linkify }).html.length;
  };
  // The first time is for the compiler.
  render();
  return medianOf(Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    render();
    return performance.now() - started;
  }));
}
