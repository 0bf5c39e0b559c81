import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived } from "@/lib/store/table.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { Linkify } from "@/lib/chat/organization/rendering/context.ts";
import {
  compileLinkifier,
  createLinkify,
  createTopicLinker,
  type ExampleLink,
  findExampleLinks,
  type StoredLinkifier,
  type TopicLink,
  type TopicLinker,
  type TopicWork,
} from "./model/find_links.ts";
import { linkifierKeys, type LinkifierRecord } from "./model/linkifier.ts";

interface LinkifierSet {
  /** Returns a function that links one message within its own budget; undefined without linkifiers. */
  readonly createLinkify: () => Linkify | undefined;
  readonly topics: TopicLinker;
  /** Compiled linkifiers with their records, in order. */
  readonly all: readonly StoredLinkifier[];
  /** Returns the link that each linkifier makes of its own example, in order. */
  readonly examples: () => readonly ExampleLink[];
}

export async function listLinkifiers(app: ChatApp, realmId: number): Promise<readonly LinkifierRecord[]> {
  return await app.reads.read<readonly LinkifierRecord[]>(linkifierKeys.all(realmId)) ?? [];
}

/** Reads the current linkifiers of an organization, compiled once per change. */
export async function readLinkifierSet(app: ChatApp, realmId: number): Promise<LinkifierSet> {
  return linkifierSetOf(await app.readOrganization(realmId));
}

export function linkifierSetOf(organization: Snapshot): LinkifierSet {
  const { realmId } = organization;
  return toLinkifierSet(organization.get<readonly LinkifierRecord[]>(linkifierKeys.all(realmId)) ?? NONE);
}

const NONE: readonly LinkifierRecord[] = [];

const toLinkifierSet = derived((records: readonly LinkifierRecord[]): LinkifierSet => {
  const all = records.flatMap((record) => {
    const compiled = compileLinkifier(record);
    return compiled === null ? [] : [{ ...compiled, record }];
  });
  let examples: readonly ExampleLink[] | undefined;
  return {
    createLinkify: () => all.length === 0 ? undefined : createLinkify(all),
    all,
    examples: () => examples ??= findExampleLinks(all),
    topics: createTopicLinker(all),
  };
});

/** Finds the links in topics, each topic once in a request. */
export async function findTopicLinks(
  organization: Snapshot,
  { topics, topicWork }: { topics: readonly string[]; topicWork: TopicWork },
): Promise<ReadonlyMap<string, readonly TopicLink[]>> {
  const links = Array.from(new Set(topics), async (topic) => {
    const found = topicWork.found.get(topic) ?? linkifierSetOf(organization).topics.find(topic, topicWork);
    topicWork.found.set(topic, found);
    return [topic, await found] as const;
  });
  return new Map(await Promise.all(links));
}
