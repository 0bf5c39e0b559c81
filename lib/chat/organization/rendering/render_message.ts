import createParser, { type MarkdownIt, type RendererRule, type StateInline, type Token } from "markdown-it";
import { escapeHtml } from "@/lib/core/text.ts";
import {
  type BlockRule,
  fenceRule,
  limitDepth,
  limitLazyLines,
  limitTableSize,
  MAX_BLOCK_DEPTH,
} from "./block_rules.ts";
import {
  addressRule,
  angledRule,
  channelRule,
  emojiRule,
  linkRule,
  MARKUP_TOKEN,
  mathRule,
  mentionRule,
  renderMathBlocks,
  timeRule,
} from "./inline_rules.ts";
import { inlineRule, previewRule, textRule } from "./text_rules.ts";
import { getRenderState, RenderState } from "./render_state.ts";
import type { RenderContext, Rendered, RenderMath } from "./context.ts";
import { renderElement, sanitize } from "./html.ts";
import { normalizeContent } from "./syntax.ts";

const LABELS: Readonly<Record<string, string>> = {
  "Bash": "bash sh shell zsh",
  "C": "c h",
  "C#": "csharp cs c#",
  "C++": "cpp c++ cxx hpp",
  "CSS": "css",
  "Clojure": "clojure clj",
  "Dart": "dart",
  "Diff": "diff udiff patch",
  "Docker": "docker dockerfile",
  "Elixir": "elixir ex exs",
  "Erlang": "erlang erl",
  "Go": "go golang",
  "GraphQL": "graphql gql",
  "HTML": "html htm",
  "Haskell": "haskell hs",
  "INI": "ini cfg",
  "JSON": "json",
  "Java": "java",
  "JavaScript": "javascript js mjs jsx",
  "Julia": "julia jl",
  "Kotlin": "kotlin kt",
  "LaTeX": "latex tex",
  "Lua": "lua",
  "Makefile": "makefile make mk",
  "Markdown": "markdown md",
  "Nix": "nix",
  "OCaml": "ocaml ml",
  "PHP": "php",
  "Perl": "perl pl",
  "PowerShell": "powershell ps1",
  "Python": "python py python3 py3",
  "R": "r",
  "Ruby": "ruby rb",
  "Rust": "rust rs",
  "SCSS": "scss",
  "SQL": "sql",
  "Scala": "scala",
  "Swift": "swift",
  "TOML": "toml",
  "Text only": "text txt plaintext",
  "TypeScript": "typescript ts tsx",
  "Vue": "vue",
  "XML": "xml svg",
  "YAML": "yaml yml",
  "Zig": "zig",
};
const LABEL_BY_ALIAS: ReadonlyMap<string, string> = new Map(
  Object.entries(LABELS).flatMap(([label, aliases]) => aliases.split(" ").map((alias) => [alias, label])),
);

/** Returns the label of a code block language; unknown names are returned unchanged. */
function toLanguageLabel(name: string): string {
  return LABEL_BY_ALIAS.get(name.toLowerCase()) ?? name;
}

/**
 * Nesting limit of the parser; leaves room for lists, tables and links above the deepest blocks, so that
 * nothing is dropped.
 */
const MAX_LEVEL = MAX_BLOCK_DEPTH + 60;

/**
 * Creates the parser and renderer of messages; each run needs a RenderState as `rendering` in its
 * environment.
 */
export function createMarkdown(): MarkdownIt {
  const md = createParser({ html: false, breaks: true, maxNesting: MAX_LEVEL });
  allowEmphasisInWords(md);
  md.disable([
    "reference",
    "html_block",
    "html_inline",
    "lheading",
    "image",
    "linkify",
    "replacements",
    "smartquotes",
  ]);
  setBlockRules(md);
  setInlineRules(md);
  md.core.ruler.at("inline", inlineRule);
  md.core.ruler.push("chat_text", textRule);
  md.core.ruler.push("chat_previews", previewRule);
  setRenderers(md);
  return md;
}

function setBlockRules(md: MarkdownIt): void {
  const chains = {
    table: ["paragraph"],
    blockquote: ["paragraph", "blockquote", "list"],
    list: ["paragraph", "blockquote"],
  };
  const bounds: Readonly<Record<string, (rule: BlockRule) => BlockRule>> = {
    table: limitTableSize,
    blockquote: limitLazyLines,
  };
  for (const [name, alt] of Object.entries(chains)) {
    const rule = getBuiltInBlockRule(name);
    if (rule !== null) {
      md.block.ruler.at(name, limitDepth(bounds[name]?.(rule) ?? rule), { alt });
    }
  }
  md.block.ruler.at("fence", fenceRule, { alt: ["paragraph", "blockquote", "list"] });
}

/** Returns the parser's built-in block rule with a name, by enabling only that rule. */
function getBuiltInBlockRule(name: string): BlockRule | null {
  const { ruler } = createParser().block;
  ruler.enableOnly([name]);
  return ruler.getRules("")[0] ?? null;
}

function setInlineRules(md: MarkdownIt): void {
  const { ruler } = md.inline;
  ruler.at("link", linkRule);
  ruler.at("autolink", angledRule);
  const own = {
    mention: mentionRule,
    channel: channelRule,
    time: timeRule,
    math: mathRule,
    address: addressRule,
  };
  for (const [name, rule] of Object.entries(own)) ruler.before("strikethrough", name, rule);
  ruler.before("strikethrough", "emoji", emojiRule);
  // Names with underscores are common in chat, so only asterisks emphasize.
  ruler.before("emphasis", "underscore", underscoreRule);
}

/**
 * Lets marks of emphasis open before and close after punctuation within words, as in `**Note:**see`: many scripts put no
 * spaces around words. A mark never closes right after an opening bracket or opens right before a closing one.
 */
function allowEmphasisInWords({ inline }: MarkdownIt): void {
  inline.State = class extends inline.State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const { can_open, can_close, length } = super.scanDelims(start, canSplitWord);
      return {
        can_open: can_open ||
          /^[^\s\p{Pe}\p{Pf}]/u.test(
            this.src.slice(start + length, Math.min(start + length + 2, this.posMax)),
          ),
        can_close: can_close || /[^\s\p{Ps}\p{Pi}]$/u.test(this.src.slice(Math.max(0, start - 1), start)),
        length,
      };
    }
  };
}

function underscoreRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "_") return false;
  if (!silent) state.pending += "_";
  state.pos++;
  return true;
}

function setRenderers(md: MarkdownIt): void {
  const { rules } = md.renderer;
  const cell: RendererRule = (tokens, index) => {
    const { tag = "", attrs = null } = tokens[index] ?? {};
    const align = /center|right|left/.exec(String(attrs?.[0]?.[1] ?? ""))?.[0];
    return align === undefined ? `<${tag}>` : `<${tag} align="${align}">`;
  };
  Object.assign(rules, {
    [MARKUP_TOKEN]: (tokens: Token[], index: number) => tokens[index]?.content ?? "",
    th_open: cell,
    td_open: cell,
    s_open: () => "<del>",
    s_close: () => "</del>",
    code_block: (tokens: Token[], index: number) => renderCode(tokens[index]?.content ?? "", ""),
    fence: renderFence,
    // Clients look for exactly these two elements in a spoiler, without text between them.
    spoiler_open: () => '<div class="spoiler-block"><div class="spoiler-header">\n',
    spoiler_content: () => '</div><div class="spoiler-content" aria-hidden="true">\n',
    spoiler_close: () => "</div></div>\n",
  });
}

const renderFence: RendererRule = (tokens, index, _options, env = {}) => {
  const { content = "", info = "" } = tokens[index] ?? {};
  const language = /^\{?\.?([^\s{}]{1,40})/.exec(info)?.[1] ?? "";
  if (language === "math") return renderMathBlocks(getRenderState(env), content);
  return renderCode(content, language);
};

function renderCode(content: string, language: string): string {
  const label = language === "" ? "" : ` data-code-language="${escapeHtml(toLanguageLabel(language))}"`;
  return `<div class="codehilite"${label}><pre><span></span><code>${
    escapeHtml(content)
  }</code></pre></div>\n`;
}

/** Loads the renderer of formulas if a content may contain any; until then, it takes neither time nor memory. */
export async function loadMathRenderer(content: string): Promise<{ readonly renderMath?: RenderMath }> {
  if (!/\$\$|math/.test(content)) return {};
  const { renderMath } = await import("./render_math.ts");
  return { renderMath };
}

/**
 * Maximum length of the HTML of a message, in UTF-16 units; a longer message is shown as plain text. Messages
 * of versions up to 0.5 have up to 300,000.
 */
const MAX_HTML_LENGTH = 150_000;
/** Maximum length of the text of a message that is shown as plain text, in UTF-16 units. */
const MAX_PLAIN_LENGTH = 30_000;

/** One paragraph, with or without previews of images after it. */
const IN_ONE_PARAGRAPH = /^<p>(?:(?!<p>).)*<\/p>(?:\n<div class="message_inline_image">(?:(?!<p>).)*)?$/s;

const markdown = createMarkdown();

/** Renders a message and collects its references. Pure, never throws, linear time. */
export function renderMessage(content: string, context: RenderContext): Rendered {
  const text = normalizeContent(content);
  const rendering = new RenderState(context);
  const html = sanitize(markdown.render(text, { rendering }).trimEnd());
  const isTooLong = html.length > MAX_HTML_LENGTH;
  const references = isTooLong ? new RenderState(context) : rendering;
  return {
    html: isTooLong ? renderElement("p", {}, text.slice(0, MAX_PLAIN_LENGTH)) : html,
    mentioned_user_ids: [...references.users],
    mentioned_group_ids: [...references.groups],
    wildcard: { stream: references.mentionsStream, topic: references.mentionsTopic },
    has_link: references.hasLink,
    has_image: references.hasImage,
    attachments: [...references.attachments],
    previews: references.previews,
    is_me_message: text.startsWith("/me ") && IN_ONE_PARAGRAPH.test(html),
  };
}

/**
 * Maximum length of the HTML, in UTF-16 units, so that its event fits into the store; longer ones are shown
 * as text.
 */
const MAX_DESCRIPTION_HTML = 20_000;
/** Wildcard mentions, which are plain words in descriptions. */
const MENTION = /<span class="(?:user|topic)-mention[^<>]*>([^<]*)<\/span>/g;

/**
 * Renders a description of a user, channel or organization, without mentions. `realmUrl` is the base URL of
 * the organization. HTML longer than `maxLength` UTF-16 units is replaced by the text.
 */
export function renderDescription(
  text: string,
  realmUrl: string,
  maxLength: number = MAX_DESCRIPTION_HTML,
): string {
  const { html } = renderMessage(text, {
    findUser: () => null,
    findGroup: () => null,
    findChannel: () => null,
    findEmoji: () => null,
    translateEmoticons: false,
    realmUrl,
  });
  const shown = html.replace(MENTION, "$1");
  return shown.length <= maxLength ? shown : renderElement("p", {}, text);
}
