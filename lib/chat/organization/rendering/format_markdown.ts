import { EMPTY_TOPIC_NAME } from "../channels/model/channel.ts";
import type { ChannelRef, UserRef } from "./context.ts";
import { formatNarrowHref } from "./urls.ts";

/** Characters that a link to a channel or topic cannot contain. */
const UNLINKABLE = /[`>*&[\]]|\$\$/;

/** Formats a silent mention of a user, which notifies no one. */
export function silentMention({ full_name, id }: UserRef): string {
  return `@_**${full_name}|${id}**`;
}

export function formatChannelLink(channel: ChannelRef, topic: string | null = null): string {
  const name = topic === null ? channel.name : `${channel.name}>${topic}`;
  if (!UNLINKABLE.test(channel.name + (topic ?? ""))) return `#**${name}**`;
  const label = topic === null
    ? channel.name
    : `${channel.name} > ${topic === "" ? EMPTY_TOPIC_NAME : topic}`;
  return `[${escapeMarkdown(`#${label}`)}](${formatNarrowHref(channel, topic, null)})`;
}

/** Formats a name in bold, whatever characters it has. */
export function formatName(name: string): string {
  return `**${escapeMarkdown(name)}**`;
}

/** Replaces the punctuation that Markdown could read as a mark with character references. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[`*_~[\]<>&$\\:@#|]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Formats text as a quote block whose fence is longer than any run of backticks in it. */
export function quoteMarkdown(text: string): string {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence} quote\n${text === "" ? "*No description.*" : text}\n${fence}`;
}
