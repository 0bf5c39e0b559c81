import { readRecord } from "@/lib/kv/key.ts";
import { StaleRead } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Linkify } from "../rendering/context.ts";
import { renderTopicLinks } from "../rendering/render_topic_links.ts";
import { compileLinkifier, createLinkify } from "./find_links.ts";
import { type LinkedExample, linkExamples, type StoredLinkifier } from "./link_examples.ts";
import { linkifierKeys, type LinkifierRecord } from "./linkifier.ts";

/** Topics whose links an organization's linkifiers remember. */
const MAX_TOPICS = 1000;

/** An organization's linkifiers, ready to act. */
export interface ReadyLinkifiers {
  /** Finds the links of one message, with a share of work of its own; undefined where there is no linkifier. */
  readonly start: () => Linkify | undefined;
  /** The links in a topic, in its order. */
  readonly linksIn: (topic: string) => readonly { text: string; url: string }[];
  /** Each with its record, in order. */
  readonly all: readonly StoredLinkifier[];
  /** What each makes of its own example, in order. */
  readonly examples: () => readonly LinkedExample[];
}

/** Every linkifier of an organization in order. */
export async function listLinkifiers(app: ChatApp, realmId: number): Promise<readonly LinkifierRecord[]> {
  return await app.reads.read<readonly LinkifierRecord[]>(linkifierKeys.all(realmId)) ?? [];
}

/** The linkifiers of an organization as they are now, made ready once for each change of them. */
export async function readLinkifiers(app: ChatApp, realmId: number): Promise<ReadyLinkifiers> {
  for (;;) {
    const version = await app.reads.read<number>(linkifierKeys.version(realmId)) ?? 0;
    try {
      return await app.caches.get(`linkifiers ${realmId}`, version, () => load(app, realmId, version));
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
    }
  }
}

async function load({ store }: ChatApp, realmId: number, version: number): Promise<ReadyLinkifiers> {
  if (version === 0) return makeReady([]);
  const all = await readRecord<readonly LinkifierRecord[]>(store.kv, linkifierKeys.all(realmId)) ?? [];
  const after = await readRecord<number>(store.kv, linkifierKeys.version(realmId)) ?? 0;
  if (after !== version) throw new StaleRead("The linkifiers changed while they were read");
  return makeReady(all.flatMap((record) => {
    const compiled = compileLinkifier(record);
    return compiled === null ? [] : [{ ...compiled, record }];
  }));
}

function makeReady(linkifiers: readonly StoredLinkifier[]): ReadyLinkifiers {
  const start = () => linkifiers.length === 0 ? undefined : createLinkify(linkifiers);
  let examples: readonly LinkedExample[] | undefined;
  const topics = new Map<string, readonly { text: string; url: string }[]>();
  return {
    start,
    all: linkifiers,
    examples: () => examples ??= linkExamples(linkifiers),
    linksIn: (topic) => {
      const known = topics.get(topic);
      if (known !== undefined) return known;
      const links = renderTopicLinks(topic, start());
      if (topics.size >= MAX_TOPICS) topics.clear();
      topics.set(topic, links);
      return links;
    },
  };
}
