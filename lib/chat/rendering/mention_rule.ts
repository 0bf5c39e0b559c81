import type { StateInline } from "markdown-it";
import { move, putMarkup } from "./inline_rules.ts";
import { element } from "./markup.ts";
import { type Rendering, renderingOf } from "./rendering.ts";
import { type MentionTarget, readMention } from "./syntax.ts";

/** Mentions of users, groups and wildcards; in quotations all of them are silent. */
export function mentionRule(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== "@") return false;
  const mention = readMention(state.src, state.pos);
  if (mention === null || state.pos + mention.length > state.posMax) return false;
  const rendering = renderingOf(state.env);
  const shown = show(rendering, mention.target);
  if (shown === null) return false;
  if (silent) return move(state, mention.length);
  const isSilent = mention.isSilent || rendering.isQuoted;
  const { classes, attributes, name } = shown;
  const written = { class: isSilent ? `${classes} silent` : classes, ...attributes };
  putMarkup(state, mention.length, element("span", written, isSilent ? name : `@${name}`));
  if (!isSilent) shown.note();
  return true;
}

/** How a mention looks and what it tells, once it is not silent. */
interface Shown {
  readonly classes: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly name: string;
  readonly note: () => void;
}

function show(rendering: Rendering, target: MentionTarget): Shown | null {
  switch (target.kind) {
    case "stream":
      return {
        classes: "user-mention channel-wildcard-mention",
        attributes: { "data-user-id": "*" },
        name: target.name,
        note: () => void (rendering.mentionsStream = true),
      };
    case "topic":
      return {
        classes: "topic-mention",
        attributes: {},
        name: target.name,
        note: () => void (rendering.mentionsTopic = true),
      };
    case "group":
      return showGroup(rendering, target.name);
    case "user":
      return showUser(rendering, target.name, target.id);
  }
}

function showUser(rendering: Rendering, name: string, id: number | null): Shown | null {
  const user = rendering.context.findUser(name, id);
  return user && {
    classes: "user-mention",
    attributes: { "data-user-id": user.id },
    name: user.full_name,
    note: () => void rendering.users.add(user.id),
  };
}

function showGroup(rendering: Rendering, name: string): Shown | null {
  const group = rendering.context.findGroup(name);
  return group && {
    classes: "user-group-mention",
    attributes: { "data-user-group-id": group.id },
    name: group.name,
    note: () => void rendering.groups.add(group.id),
  };
}
