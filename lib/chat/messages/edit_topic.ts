import { AppError } from "@/lib/core/errors.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { EMPTY_TOPIC_NAME, MAX_TOPIC } from "../channels/channel.ts";
import { choice, type Param } from "../params/param.ts";

/** What clients also write for the empty topic. */
const EMPTY_TOPIC_NAMES: readonly string[] = [EMPTY_TOPIC_NAME, "(no topic)"];

/** How the name of a resolved topic begins. */
export const RESOLVED_PREFIX = "✔ ";

/** What moves along with a message: nothing, the later messages of its topic, or all of them. */
export const PROPAGATE_MODES = ["change_one", "change_later", "change_all"] as const;
/** One of the three. */
export type PropagateMode = typeof PROPAGATE_MODES[number];

/**
 * A topic as it is stored: without blanks around it, and empty where it is a name of the empty topic. `parameter` names
 * it in the refusal.
 * @throws AppError BAD_REQUEST where it is longer than MAX_TOPIC code points or holds what is no character.
 */
export function readTopic(text: string, parameter = "topic"): string {
  const topic = toTopic(text);
  if (codePointLength(topic) > MAX_TOPIC) {
    throw new AppError("BAD_REQUEST", `${parameter} is too long (limit: ${MAX_TOPIC} characters)`);
  }
  const at = topic.search(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u);
  if (at < 0) return topic;
  const position = codePointLength(topic.slice(0, at)) + 1;
  throw new AppError("BAD_REQUEST", `Invalid character in topic, at position ${position}.`);
}

/** The topic that a text means, whether or not a topic may be called so. */
export function toTopic(text: string): string {
  const topic = text.trim();
  return EMPTY_TOPIC_NAMES.includes(topic) ? "" : topic;
}

/** A topic as a client is shown it: the empty one by its display name, unless the client takes empty names. */
export function showTopic(topic: string, allowsEmpty: boolean): string {
  return topic === "" && !allowsEmpty ? EMPTY_TOPIC_NAME : topic;
}

/** Whether a topic's name says that it is resolved. */
export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX);
}

/**
 * The name of a topic once it is resolved, its end cut off where it would become too long.
 * @throws AppError BAD_REQUEST for the empty topic, which has no end.
 */
export function resolveTopic(topic: string): string {
  if (topic === "") throw new AppError("BAD_REQUEST", "General chat cannot be marked as resolved");
  if (isResolved(topic)) return topic;
  const resolved = [...RESOLVED_PREFIX + topic];
  return resolved.length <= MAX_TOPIC
    ? resolved.join("")
    : `${resolved.slice(0, MAX_TOPIC - 1).join("").trimEnd()}…`;
}

/** The name of a topic that is resolved no more: without the prefix, however often clients added it. */
export function unresolveTopic(topic: string): string {
  return isResolved(topic) ? topic.replace(/^(?:✔ )+/u, "") : topic;
}

/** Whether a change does no more than to resolve a topic or to open it again. */
export function isResolution(before: string, after: string): boolean {
  return isResolved(after)
    ? !isResolved(before) && before !== "" &&
      (before === unresolveTopic(after) || after === resolveTopic(before))
    : isResolved(before) && after === unresolveTopic(before);
}

/** Whether a message of the same topic moves along with the one that was edited. */
export function isMoved(mode: PropagateMode, { editedId, id }: { editedId: number; id: number }): boolean {
  return id === editedId || mode === "change_all" || (mode === "change_later" && id > editedId);
}

/** What moves along, as a parameter. */
export function propagateMode(): Param<PropagateMode> {
  return choice(PROPAGATE_MODES);
}
