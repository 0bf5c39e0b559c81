import createParser, { type MarkdownIt, type RendererRule, type StateInline, type Token } from "markdown-it";
import { type BlockRule, fenceRule, MAX_BLOCK_DEPTH, withinDepth } from "./block_rules.ts";
import { channelRule, emojiRule, MARKUP, mathRule, timeRule } from "./inline_rules.ts";
import { languageLabel } from "./languages.ts";
import { addressRule, angledRule, linkRule } from "./link_rules.ts";
import { element, escapeMarkup } from "./markup.ts";
import { mentionRule } from "./mention_rule.ts";
import { withinReach } from "./quote_rule.ts";
import { withinSource } from "./table_rule.ts";
import { inlineRule, textRule } from "./text_rules.ts";

/** Room for lists, tables and links above the deepest blocks, so that the parser itself never leaves anything out. */
const MAX_LEVEL = MAX_BLOCK_DEPTH + 60;

/** The parser and writer of messages; each run needs a Rendering as `rendering` in its environment. */
export function createMarkdown(): MarkdownIt {
  const md = createParser({ html: false, breaks: true, maxNesting: MAX_LEVEL });
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
  setWriters(md);
  return md;
}

function setBlockRules(md: MarkdownIt): void {
  const chains = {
    table: ["paragraph"],
    blockquote: ["paragraph", "blockquote", "list"],
    list: ["paragraph", "blockquote"],
  };
  const bounds: Readonly<Record<string, (rule: BlockRule) => BlockRule>> = {
    table: withinSource,
    blockquote: withinReach,
  };
  for (const [name, alt] of Object.entries(chains)) {
    const rule = blockRuleOf(name);
    if (rule !== null) {
      md.block.ruler.at(name, withinDepth(bounds[name]?.(rule) ?? rule), { alt });
    }
  }
  md.block.ruler.at("fence", fenceRule, { alt: ["paragraph", "blockquote", "list"] });
}

/** The parser's own rule of that name, as its interface gives it: the only one that is on. */
function blockRuleOf(name: string): BlockRule | null {
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
  // Names written with underscores are common in chat, so that only asterisks emphasise.
  ruler.before("emphasis", "underscore", underscoreRule);
}

function underscoreRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "_") return false;
  if (!silent) state.pending += "_";
  state.pos++;
  return true;
}

function setWriters(md: MarkdownIt): void {
  const { rules } = md.renderer;
  const cell: RendererRule = (tokens, index) => {
    const { tag = "", attrs = null } = tokens[index] ?? {};
    const align = /center|right|left/.exec(String(attrs?.[0]?.[1] ?? ""))?.[0];
    return align === undefined ? `<${tag}>` : `<${tag} align="${align}">`;
  };
  Object.assign(rules, {
    [MARKUP]: (tokens: Token[], index: number) => tokens[index]?.content ?? "",
    th_open: cell,
    td_open: cell,
    s_open: () => "<del>",
    s_close: () => "</del>",
    code_block: (tokens: Token[], index: number) => codeMarkup(tokens[index]?.content ?? "", ""),
    fence: writeFence,
  });
}

const writeFence: RendererRule = (tokens, index) => {
  const { content = "", info = "" } = tokens[index] ?? {};
  const language = /^\{?\.?([^\s{}]{1,40})/.exec(info)?.[1] ?? "";
  if (language === "math") return `<pre>${element("code", { class: "math" }, content)}</pre>\n`;
  return codeMarkup(content, language);
};

function codeMarkup(content: string, language: string): string {
  const label = language === "" ? "" : ` data-code-language="${escapeMarkup(languageLabel(language))}"`;
  return `<div class="codehilite"${label}><pre><span></span><code>${
    escapeMarkup(content)
  }</code></pre></div>\n`;
}
