import {
  type CompiledLinkifier,
  type ExampleLink,
  findLinkifierLinks,
} from "@/lib/chat/linkifiers/model/find_links.ts";
import { type LinkifierRecord, MAX_LINKIFIERS } from "@/lib/chat/linkifiers/model/linkifier.ts";
import { listLinkifiers, readLinkifierSet } from "@/lib/chat/linkifiers/store.ts";
import { reorderLinkifiers } from "@/lib/chat/linkifiers/change_linkifiers.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { LINKIFIER_GALLERY, OFFERED_TEMPLATES, type OfferedTemplate } from "./linkifier_gallery.ts";
import { movedBy } from "../move_position.ts";

/** Number of linkifiers on a page. */
const PAGE_SIZE = 100;

/** A text and the link that a linkifier makes of it. */
export interface ShownExample {
  readonly text: string;
  /** Null when it becomes no link. */
  readonly url: string | null;
  readonly isUntried: boolean;
}

/** A linkifier in the list. */
export interface ListedLinkifier {
  readonly id: number;
  readonly pattern: string;
  readonly urlTemplate: string;
  /** Null when no example is known. */
  readonly example: ShownExample | null;
  /** Sentences about earlier linkifiers that take its example. */
  readonly notes: readonly string[];
}

/** Data of the linkifiers page. */
export interface LinkifiersData {
  readonly linkifiers: readonly ListedLinkifier[];
  /** Number of linkifiers of the organization. */
  readonly total: number;
  readonly isFull: boolean;
  /** Search text; empty for all. */
  readonly search: string;
  /** Number of matches. */
  readonly found: number;
  /** Starts of the previous and next page; null for none. */
  readonly before: number | null;
  readonly behind: number | null;
  readonly templates: readonly OfferedTemplate[];
}

/** The page of all linkifiers: list, search, order, export. */
export const linkifiersPage: AdminPageSpec<LinkifiersData> = {
  load: loadLinkifiers,
  actions: {
    move_up: { run: (request, fields) => move(request, fields, -1) },
    move_down: { run: (request, fields) => move(request, fields, 1) },
    reorder: { run: reorder },
    export: { run: exportAll },
  },
};

async function loadLinkifiers(request: AdminRequest): Promise<LinkifiersData> {
  const { chat, realm, query } = request;
  const all = await listLinkifiers(chat, realm.id);
  const ready = await readLinkifierSet(chat, realm.id);
  const examples = new Map(ready.examples().map((example) => [example.id, example]));
  const compiled = new Map(ready.all.map((one) => [one.record.id, one]));
  const search = (query.get("search") ?? "").trim();
  const found = all.filter((linkifier) => isFoundBy(linkifier, search.toLowerCase()));
  const asked = Number(query.get("from") ?? 0);
  const from = Number.isInteger(asked) && asked > 0 && asked < found.length ? asked : 0;
  return {
    linkifiers: found.slice(from, from + PAGE_SIZE).map((linkifier) =>
      toListed(request, linkifier, {
        linked: examples.get(linkifier.id),
        compiled: compiled.get(linkifier.id),
      })
    ),
    total: all.length,
    isFull: all.length >= MAX_LINKIFIERS,
    search,
    found: found.length,
    before: from === 0 ? null : Math.max(0, from - PAGE_SIZE),
    behind: from + PAGE_SIZE < found.length ? from + PAGE_SIZE : null,
    templates: OFFERED_TEMPLATES,
  };
}

function isFoundBy({ pattern, url_template, example_input }: LinkifierRecord, search: string): boolean {
  return [pattern, url_template, example_input ?? ""].some((text) => text.toLowerCase().includes(search));
}

function toListed(
  request: AdminRequest,
  linkifier: LinkifierRecord,
  { linked, compiled }: { linked: ExampleLink | undefined; compiled: CompiledLinkifier | undefined },
): ListedLinkifier {
  const { id, pattern, url_template: urlTemplate, example_input: text } = linkifier;
  const example = text === null
    ? exampleOfGallery(compiled)
    : { text, url: linked?.link?.url ?? null, isUntried: linked?.link === null && linked.isSkipped };
  return { id, pattern, urlTemplate, example, notes: linked === undefined ? [] : toNotes(request, linked) };
}

function toNotes(
  { formatter, messages }: AdminRequest,
  { overriddenBy: takenBy }: ExampleLink,
): readonly string[] {
  return takenBy.map(({ pattern }) => formatter.t(messages.linkifiers.takenBy, { pattern }));
}

/** Returns the first example of the gallery that a linkifier matches. */
function exampleOfGallery(compiled: CompiledLinkifier | undefined): ShownExample | null {
  if (compiled === undefined) return null;
  for (const { fields: { example_input: text } } of LINKIFIER_GALLERY) {
    const [link] = findLinkifierLinks(compiled, text);
    if (link !== undefined) {
      return { text: text.slice(link.start, link.end), url: link.url, isUntried: false };
    }
  }
  return null;
}

async function move(request: AdminRequest, fields: FormFields, step: -1 | 1): Promise<Done> {
  const ids = (await listLinkifiers(request.chat, request.realm.id)).map(({ id }) => id);
  return await putInOrder(request, fields.int("id"), movedBy(ids, fields.int("id") ?? 0, step));
}

async function reorder(request: AdminRequest, fields: FormFields): Promise<Done> {
  const ids = (await listLinkifiers(request.chat, request.realm.id)).map(({ id }) => id);
  // The page may show only some linkifiers, and others may have been added or removed: those shown change
  // positions among themselves.
  const shown = [...new Set(fields.ints("order"))].filter((id) => ids.includes(id));
  const places = new Set(shown);
  const rest = shown.values();
  const order = ids.map((id) => places.has(id) ? rest.next().value ?? id : id);
  return await putInOrder(request, fields.int("id"), order);
}

/** Reorders linkifiers and reports the new position of one of them. */
export async function putInOrder(
  request: AdminRequest,
  movedId: number | null,
  order: readonly number[],
): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
  await reorderLinkifiers(chat, caller, order);
  const all = await listLinkifiers(chat, realm.id);
  const moved = all.find(({ id }) => id === movedId);
  if (moved === undefined) return { flash: "" };
  const place = all.indexOf(moved) + 1;
  const examples = (await readLinkifierSet(chat, realm.id)).examples();
  return {
    flash: formatter.t(messages.common.moved, { name: moved.pattern, place, count: all.length }),
    result: { notes: Object.fromEntries(examples.map((linked) => [linked.id, toNotes(request, linked)])) },
  };
}

async function exportAll({ chat, realm }: AdminRequest): Promise<Response> {
  const linkifiers = (await listLinkifiers(chat, realm.id)).map(({ id: _id, ...fields }) => fields);
  return new Response(JSON.stringify({ linkifiers }, null, 2) + "\n", {
    headers: {
      "content-type": "application/json",
      "content-disposition": 'attachment; filename="linkifiers.json"',
      "cache-control": "no-store",
    },
  });
}
