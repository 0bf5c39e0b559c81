import createParser, { type MarkdownIt, type RendererRule, type StateInline, type Token } from "markdown-it";
import { escapeHtml } from "@/lib/core/html.ts";
import { type BlockRule, fenceRule, limitDepth, MAX_BLOCK_DEPTH } from "./block_rules.ts";
import { channelRule, emojiRule, MARKUP_TOKEN, timeRule } from "./inline_rules.ts";
import { toLanguageLabel } from "./languages.ts";
import { addressRule, angledRule, linkRule } from "./link_rules.ts";
import { mathRule, renderMathBlocks } from "./math_rules.ts";
import { mentionRule } from "./mention_rule.ts";
import { previewRule } from "./preview_rule.ts";
import { limitLazyLines } from "./quote_rule.ts";
import { getRenderState } from "./render_state.ts";
import { limitTableSize } from "./table_rule.ts";
import { inlineRule, textRule } from "./text_rules.ts";

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

const renderFence: RendererRule = (tokens, index, ...[, env = {}]) => {
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
