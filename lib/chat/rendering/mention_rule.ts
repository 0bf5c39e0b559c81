import type { StateInline } from "markdown-it";
import { advance, pushMarkup } from "./inline_rules.ts";
import { renderElement } from "./markup.ts";
import { getRenderState, type RenderState } from "./render_state.ts";
import { type MentionTarget, parseMention } from "./syntax.ts";

/** Parses mentions of users, groups and wildcards; mentions in quotes are silent. */
export function mentionRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "@") return false;
  const mention = parseMention(state.src, state.pos);
  if (mention === null || state.pos + mention.length > state.posMax) return false;
  const rendering = getRenderState(state.env);
  const view = resolveMention(rendering, mention.target);
  if (view === null) return false;
  if (silent) return advance(state, mention.length);
  const isSilent = mention.isSilent || rendering.isQuoted;
  const { classes, attributes, name } = view;
  const shownAttributes = { class: isSilent ? `${classes} silent` : classes, ...attributes };
  const markup = renderElement("span", shownAttributes, isSilent ? name : `@${name}`);
  if (!pushMarkup(state, mention.length, markup)) return false;
  if (!isSilent) view.record();
  return true;
}

/** Appearance of a mention, and the recording of it unless it is silent. */
interface MentionView {
  readonly classes: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly name: string;
  readonly record: () => void;
}

function resolveMention(rendering: RenderState, target: MentionTarget): MentionView | null {
  switch (target.kind) {
    case "stream":
      return {
        classes: "user-mention channel-wildcard-mention",
        attributes: { "data-user-id": "*" },
        name: target.name,
        record: () => void (rendering.mentionsStream = true),
      };
    case "topic":
      return {
        classes: "topic-mention",
        attributes: {},
        name: target.name,
        record: () => void (rendering.mentionsTopic = true),
      };
    case "group":
      return resolveGroup(rendering, target.name);
    case "user":
      return resolveUser(rendering, target.name, target.id);
  }
}

function resolveUser(rendering: RenderState, name: string, id: number | null): MentionView | null {
  const user = rendering.context.findUser(name, id);
  return user && {
    classes: "user-mention",
    attributes: { "data-user-id": user.id },
    name: user.full_name,
    record: () => void rendering.users.add(user.id),
  };
}

function resolveGroup(rendering: RenderState, name: string): MentionView | null {
  const group = rendering.context.findGroup(name);
  return group && {
    classes: "user-group-mention",
    attributes: { "data-user-group-id": group.id },
    name: group.name,
    record: () => void rendering.groups.add(group.id),
  };
}
