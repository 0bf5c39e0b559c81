import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import type { MessageRecord } from "@/lib/chat/messages/model.ts";
import { findMessages } from "@/lib/chat/messages/read/find_messages.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import {
  compileLinkifier,
  createLinkifierBudget,
  createLinkify,
  type FoundLink,
  type StoredLinkifier,
} from "./linkifiers/model/find_links.ts";
import type { LinkifierFields } from "./linkifiers/model/linkifier.ts";

/** Number of the latest messages that are searched. */
export const MAX_TRIED_MESSAGES = 500;
/** Maximum number of messages with links that are returned. */
const MAX_FOUND = 25;
/** Maximum number of reads of the store for finding the messages. */
const MAX_READS = 4000;
/** Work on all messages together, as a multiple of the most work on one. */
const MAX_WORK_TIMES = 10;

/** A linkifier that may not be stored, at its position among the others. */
interface LinkifierTrial {
  readonly fields: LinkifierFields;
  readonly others: readonly StoredLinkifier[];
  readonly position: number;
}

/** A message in which a linkifier would make links. */
export interface LinkableMessage {
  readonly message: MessageRecord;
  readonly channel: ChannelRecord;
  /** In the order of the text. */
  readonly links: readonly FoundLink[];
}

/**
 * Finds the links that a linkifier would make in the latest messages of public channels that the caller can read;
 * earlier linkifiers override it. The texts are searched as they were sent, code included. Returns the newest message
 * first, and whether the search did not end early because of many links or much work.
 */
export async function tryLinkifier(
  app: ChatApp,
  { realm, actingUser }: Caller,
  trial: LinkifierTrial,
): Promise<{ found: readonly LinkableMessage[]; searched: number; isComplete: boolean }> {
  const find = createFinder(trial);
  const found: LinkableMessage[] = [];
  let searched = 0;
  const budget = { left: MAX_READS };
  const query = { user: actingUser, terms: [PUBLIC], budget };
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  for await (const { message, channel } of findMessages(app, permissions, { query, scan: NEWEST_FIRST })) {
    if (channel === null) continue;
    const { links, isSpent, isLong } = find(message.content);
    if (isSpent || found.length === MAX_FOUND) return { found, searched, isComplete: false };
    searched++;
    if (links.length > 0) found.push({ message, channel, links });
    if (searched === MAX_TRIED_MESSAGES) break;
    if (isLong) await yieldToEventLoop();
  }
  return { found, searched, isComplete: budget.left >= 0 };
}

const PUBLIC = { kind: "channels", which: "public", negated: false } as const;
const NEWEST_FIRST = { from: Number.MAX_SAFE_INTEGER - 1, isAscending: false };

/**
 * Creates a function that finds the links of the tried linkifier, each message within the budget of a message. `isSpent`
 * says that the work on all messages is used up, `isLong` that it was much for the message.
 */
function createFinder({ fields, others, position }: LinkifierTrial) {
  const compiled = compileLinkifier(fields);
  const inOrder = compiled === null
    ? []
    : [...others.slice(0, position), compiled, ...others.slice(position)];
  let left = createLinkifierBudget(MAX_WORK_TIMES).work;
  return (text: string) => {
    const budget = createLinkifierBudget();
    const most = budget.work;
    const links = createLinkify(inOrder, budget)(text)
      .filter(({ linkifierIndex }) => linkifierIndex === position)
      .sort((a, b) => a.start - b.start);
    const spent = most - Math.max(budget.work, 0);
    left -= spent;
    return { links, isSpent: left < 0, isLong: spent > most / 10 };
  };
}
