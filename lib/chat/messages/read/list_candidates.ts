import type { Key } from "@/lib/store/key.ts";
import { readAlertWords } from "@/lib/chat/people/alert_words.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  listCustomGroupIds,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { readChannelList } from "@/lib/chat/channels/store.ts";
import { type Candidate, type CandidateScan, type IdScan, messageKeys, type Viewer } from "../model.ts";
import { facetKey, toGroupFacet } from "../narrow/facets.ts";
import { searchWords } from "../narrow/search_words.ts";
import { openWordScans, toTopicWord } from "../word_index/store.ts";
import { reactionsPrefix } from "../reactions.ts";
import type { NarrowIndex } from "../narrow/match_narrow.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { scanIds } from "./cached_reads.ts";

/** Number of channels up to which their indexes are merged; beyond it all messages are scanned. */
const MAX_MERGED_CHANNELS = 30;
/** Number of candidates that are merged before they are used. */
const MERGED_AT_ONCE = 20;
/** Number of alert words up to which their indexes are merged. */
const MAX_MERGED_WORDS = 30;
/** Number of a user's groups up to which their indexes are merged; beyond it the mentions of all groups are scanned. */
const MAX_MERGED_GROUPS = 30;

/** A viewer, whose flags spectators do not have, and the permissions that apply. */
interface CandidateReader {
  readonly permissions: PermissionContext;
  readonly user: Viewer;
}

/** Lists the messages of an index in scan order, in chunks. */
export async function listCandidates(
  app: ChatApp,
  reader: CandidateReader,
  { index, scan }: { index: NarrowIndex; scan: IdScan },
): Promise<CandidateScan | readonly (readonly Candidate[])[]> {
  // The scan for messages after the newest end begins after the id of every message.
  const isBeyondAll = scan.isAscending && scan.from >= Number.MAX_SAFE_INTEGER;
  if (index.kind === "nothing" || isBeyondAll) return [];
  if (index.kind === "id") {
    const isInScan = scan.isAscending ? index.id >= scan.from : index.id <= scan.from;
    return isInScan ? [[{ id: index.id, message: null }]] : [];
  }
  const { id: realmId } = reader.permissions.realm;
  const scanBelow = (prefix: Key) => scanIds(app, { realmId, prefix }, scan);
  if (index.kind === "channels") {
    const { channels } = await readChannelList(app, realmId);
    const selected = channels.filter(({ is_web_public, invite_only }) =>
      index.which === "web-public" ? is_web_public : !invite_only
    );
    if (selected.length <= MAX_MERGED_CHANNELS) {
      return mergeScans(selected.map(({ id }) => scanBelow(messageKeys.ofChannel(realmId, id))), scan);
    }
  }
  const words = await listIndexWords(app, reader, index);
  if (words !== null) {
    const scans = await openWordScans(app.store, realmId, { words, scan });
    // Of messages with very many words, not all are indexed.
    if (index.kind === "alerted") scans.push(scanBelow(facetKey(realmId, "many_words")));
    return mergeScans(words.length === 0 ? [] : scans, scan);
  }
  const prefixes = await listIndexPrefixes(app, reader, index);
  return mergeScans(prefixes.map(scanBelow), scan);
}

/** Merges several scans into one in scan order, without repetitions. */
function mergeScans(scans: readonly CandidateScan[], scan: IdScan): CandidateScan {
  const [only] = scans;
  return only !== undefined && scans.length === 1 ? only : mergeAll(scans, scan);
}

/** A scan with its current chunk, of which the candidates before a position are merged. */
interface OpenScan {
  readonly scan: CandidateScan;
  chunk: readonly Candidate[];
  at: number;
}

async function* mergeAll(scans: readonly CandidateScan[], { isAscending }: IdScan): CandidateScan {
  const opened = scans.map((scan): OpenScan => ({ scan, chunk: [], at: 0 }));
  const hasMore = await Promise.all(opened.map(readOn));
  let open = opened.filter((_, at) => hasMore[at]);
  let merged: Candidate[] = [];
  let lastId: number | null = null;
  while (open.length > 0) {
    const first = open.reduce((one, other) =>
      (isAscending ? toId(other) < toId(one) : toId(other) > toId(one)) ? other : one
    );
    const candidate = first.chunk[first.at++];
    if (candidate !== undefined && candidate.id !== lastId) merged.push(candidate);
    lastId = candidate?.id ?? lastId;
    const isChunkMerged = first.at === first.chunk.length;
    if (merged.length > 0 && (isChunkMerged || merged.length === MERGED_AT_ONCE)) {
      yield merged;
      merged = [];
    }
    if (isChunkMerged && !await readOn(first)) open = open.filter((each) => each !== first);
  }
  if (merged.length > 0) yield merged;
}

/** Reads the next chunk that has candidates; returns whether there is one. */
async function readOn(open: OpenScan): Promise<boolean> {
  for (;;) {
    const { done, value } = await open.scan.next();
    if (done === true) return false;
    open.chunk = value;
    open.at = 0;
    if (value.length > 0) return true;
  }
}

function toId({ chunk, at }: OpenScan): number {
  return chunk[at]?.id ?? 0;
}

/** Returns the key prefixes below which an index holds message ids; none when it has no messages yet. */
async function listIndexPrefixes(
  app: ChatApp,
  { permissions, user }: CandidateReader,
  index: Exclude<NarrowIndex, { kind: "nothing" | "id" }>,
): Promise<Key[]> {
  const { id: realmId } = permissions.realm;
  switch (index.kind) {
    case "topic":
      return [messageKeys.ofTopic(realmId, index.channelId, index.topic)];
    case "channel":
      return [messageKeys.ofChannel(realmId, index.channelId)];
    case "dm": {
      const id = await app.reads.read<number>(messageKeys.conversationOf(realmId, index.participants));
      return id === null ? [] : [messageKeys.ofConversation(realmId, id)];
    }
    case "sender":
      return [messageKeys.sentBy(realmId, index.senderId)];
    case "mentions":
      return [messageKeys.mentioned(realmId, index.userId)];
    case "starred":
      return user === null ? [] : [messageKeys.starred(realmId, user.id)];
    case "direct":
      return user === null ? [] : [messageKeys.directOf(realmId, user.id)];
    case "mentioned":
      return user === null ? [] : listMentionPrefixes(permissions, user);
    case "facet":
      return [facetKey(realmId, index.facet)];
    case "reactions":
      return [reactionsPrefix(realmId)];
    case "search":
    case "alerted":
    case "channels":
    case "all":
      return [messageKeys.messages(realmId)];
  }
}

/** Messages that mention a user by name, that mention the user's groups, and that mention everyone or very many groups. */
function listMentionPrefixes(permissions: PermissionContext, user: UserRecord): Key[] {
  const { id: realmId } = permissions.realm;
  const groupIds = listCustomGroupIds(permissions, user);
  const collective = groupIds.length > MAX_MERGED_GROUPS
    ? [facetKey(realmId, "collective_mention")]
    : [...groupIds.map((id) => facetKey(realmId, toGroupFacet(id))), facetKey(realmId, "broad_mention")];
  return [messageKeys.mentioned(realmId, user.id), ...collective];
}

/**
 * Returns words of which every message of an index has at least one, or very many words; null when only all messages
 * include those of the index. A search finds words of the content and of the topic.
 */
async function listIndexWords(
  app: ChatApp,
  { permissions, user }: CandidateReader,
  index: NarrowIndex,
): Promise<string[] | null> {
  if (index.kind === "search") {
    // The longest whole word usually has the fewest messages.
    const longest = findLongest(index.words.filter(({ isPrefix }) => !isPrefix).map(({ text }) => text));
    return longest === undefined ? null : [longest, toTopicWord(longest)];
  }
  if (index.kind !== "alerted") return null;
  if (user === null) return [];
  const alertWords = await readAlertWords(app, permissions.realm.id, user.id);
  // An alert word may have no letters and digits.
  const words = [...new Set(alertWords.map(({ word }) => findLongest([...searchWords(word)])))];
  const chosen = words.filter((word) => word !== undefined);
  return chosen.length < words.length || words.length > MAX_MERGED_WORDS ? null : chosen;
}

function findLongest(words: readonly string[]): string | undefined {
  return words.toSorted((one, other) => other.length - one.length)[0];
}
