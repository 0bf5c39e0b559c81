import type { ChatApp } from "../app.ts";
import { readOpenChannel } from "../channels/access.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { look, type SeenMessage, type Viewer } from "./access.ts";
import { candidates, type Walk } from "./candidates.ts";
import { readFlags } from "./flags.ts";
import { messageKeys, type MessageRecord } from "./message.ts";
import type { MessageFlag } from "./message_flags.ts";
import type { NarrowTerm } from "./narrow.ts";
import { chooseIndex, type NarrowIndex } from "./narrow_index.ts";
import { matchesNarrow, type MessageFacts } from "./narrow_match.ts";
import { reactionsKey } from "./reactions.ts";
import { NOTHING_WANTED, readTopicVisibility, type TopicVisibility } from "./topic_visibility.ts";

/** Which messages somebody wants to see. */
export interface Finding {
  readonly user: Viewer;
  readonly terms: readonly NarrowTerm[];
  /** How many messages are looked at, where that is limited: counted down, and below 0 when that was not enough. */
  readonly reach?: { left: number };
}

/** What is asked of the store, and what each message is then held against. */
interface Plan {
  readonly index: NarrowIndex;
  readonly residual: readonly NarrowTerm[];
  /** Whether only what was sent to the reader counts. */
  readonly isOwnHistory: boolean;
  readonly needsFlags: boolean;
  readonly needsReactions: boolean;
}

/** Terms that name a place: what was said there before the reader came counts as well. */
const PLACES: readonly string[] = ["channel", "channels", "topic", "dm", "id"];
/** All that is open to the web. */
const OPEN: NarrowIndex = { kind: "channels", which: "web-public" };
/** So many open messages are looked at one by one, rather than those that an index of all messages names. */
const MAX_LITTLE = 4000;
/** How many messages are read at the same time. */
const LOOK_AHEAD = 20;

/** The messages that somebody may see and that satisfy all terms, in the walk's order. */
export async function* findMessages(
  app: ChatApp,
  permissions: PermissionContext,
  { finding, walk }: { finding: Finding; walk: Walk },
): AsyncGenerator<SeenMessage> {
  const plan = finding.user === null
    ? await planForSpectator(app, permissions, finding.terms)
    : planFor(finding.terms);
  const reader = { realmId: permissions.realm.id, userId: finding.user?.id ?? null };
  let batch: number[] = [];
  for await (const id of candidates(app, reader, { index: plan.index, walk })) {
    if (finding.reach !== undefined && --finding.reach.left < 0) break;
    if (batch.push(id) < LOOK_AHEAD) continue;
    yield* lookAt(app, permissions, { ids: batch, finding, plan });
    batch = [];
  }
  yield* lookAt(app, permissions, { ids: batch, finding, plan });
}

/** Those of some messages that somebody may see and that satisfy all terms, in the order of the ids. */
export async function* findAmong(
  app: ChatApp,
  permissions: PermissionContext,
  { ids, finding }: { ids: readonly number[]; finding: Finding },
): AsyncGenerator<SeenMessage> {
  // No index is asked, so all terms are held against each message.
  const plan = { ...planFor(finding.terms), ...heldTo(finding.terms) };
  const known = ids.filter(Number.isSafeInteger);
  for (let at = 0; at < known.length; at += LOOK_AHEAD) {
    yield* lookAt(app, permissions, { ids: known.slice(at, at + LOOK_AHEAD), finding, plan });
  }
}

/**
 * For spectators what is not open is not even looked at: it costs nothing, and nobody finds out by the time that it takes
 * how much is said elsewhere, by whom and with which words. Only where very much is open an index of all is asked.
 */
async function planForSpectator(
  app: ChatApp,
  { realm }: PermissionContext,
  terms: readonly NarrowTerm[],
): Promise<Plan> {
  const plan = planFor(terms);
  const { index } = plan;
  if ("channelId" in index) {
    return await readOpenChannel(app, realm, index.channelId) === null
      ? { ...plan, index: { kind: "nothing" } }
      : plan;
  }
  const isOfAll = index.kind === "search" || index.kind === "sender";
  return isOfAll && await isLittleOpen(app, realm.id) ? { ...plan, index: OPEN, ...heldTo(terms) } : plan;
}

async function isLittleOpen(app: ChatApp, realmId: number): Promise<boolean> {
  const walk = { from: Number.MAX_SAFE_INTEGER - 1, isUp: false };
  let count = 0;
  for await (const _ of candidates(app, { realmId, userId: null }, { index: OPEN, walk })) {
    if (++count > MAX_LITTLE) return false;
  }
  return true;
}

function planFor(terms: readonly NarrowTerm[]): Plan {
  const { index, residual } = chooseIndex(terms);
  // Of several words one is looked up; the others are looked for in the text.
  const held = index.kind === "search" || index.kind === "mentioned" ? terms : residual;
  return {
    index,
    isOwnHistory: !terms.some(({ kind, negated }) => PLACES.includes(kind) && !negated),
    ...heldTo(held),
  };
}

function heldTo(
  residual: readonly NarrowTerm[],
): Pick<Plan, "residual" | "needsFlags" | "needsReactions"> {
  return {
    residual,
    needsFlags: residual.some(({ kind }) => kind === "is"),
    needsReactions: residual.some((term) => term.kind === "has" && term.what === "reaction"),
  };
}

async function* lookAt(
  app: ChatApp,
  permissions: PermissionContext,
  { ids, finding, plan }: { ids: readonly number[]; finding: Finding; plan: Plan },
): AsyncGenerator<SeenMessage> {
  const { user } = finding;
  const seen = await Promise.all(ids.map(async (id) => {
    const message = await app.reads.read<MessageRecord>(messageKeys.message(permissions.realm.id, id));
    const found = message === null ? null : await look(app, permissions, { message, user });
    if (found === null || (plan.isOwnHistory && !isOfOwnHistory(found, user))) return null;
    const flags = plan.needsFlags ? await readFlags(app, permissions, { seen: found, user }) : [];
    const hasReaction = plan.needsReactions &&
      await app.reads.read(reactionsKey(permissions.realm.id, id)) !== null;
    const visibility = plan.needsFlags && user !== null
      ? await readTopicVisibility(app, permissions.realm.id, { message: found.message, userId: user.id })
      : NOTHING_WANTED;
    return matchesNarrow(plan.residual, toFacts(found, { flags, hasReaction, visibility })) ? found : null;
  }));
  for (const found of seen) if (found !== null) yield found;
}

function isOfOwnHistory({ message, isReceived }: SeenMessage, user: Viewer): boolean {
  return isReceived || message.sender_id === user?.id;
}

function toFacts(
  { message, channel, conversation }: SeenMessage,
  { flags, hasReaction, visibility }: {
    flags: readonly MessageFlag[];
    hasReaction: boolean;
    visibility: TopicVisibility;
  },
): MessageFacts {
  return {
    id: message.id,
    channelId: message.channel_id,
    isPublicChannel: channel !== null && !channel.invite_only,
    isWebPublicChannel: channel?.is_web_public ?? false,
    topic: message.topic,
    participants: conversation?.user_ids ?? null,
    senderId: message.sender_id,
    flags,
    hasLink: message.has_link,
    hasImage: message.has_image,
    hasAttachment: message.has_attachment,
    hasReaction,
    content: message.content,
    ...visibility,
  };
}
