import type { LinkedExample } from "@/lib/chat/linkifiers/link_examples.ts";
import { type CompiledLinkifier, findLinksOf } from "@/lib/chat/linkifiers/find_links.ts";
import { type LinkifierRecord, MAX_LINKIFIERS } from "@/lib/chat/linkifiers/linkifier.ts";
import { listLinkifiers, readLinkifiers } from "@/lib/chat/linkifiers/read_linkifiers.ts";
import { reorderLinkifiers } from "@/lib/chat/linkifiers/reorder_linkifiers.ts";
import type { AdminPageSpec, Done } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";
import { LINKIFIER_GALLERY, OFFERED_TEMPLATES, type OfferedTemplate } from "./linkifier_gallery.ts";
import { movedBy } from "./places_in_order.ts";

/** Linkifiers on one page of the list. */
const PAGE_SIZE = 100;

/** A text and the link that a linkifier makes of it. */
export interface ShownExample {
  readonly text: string;
  /** Null where it becomes no link. */
  readonly url: string | null;
  readonly isUntried: boolean;
}

/** One linkifier in the list. */
export interface ListedLinkifier {
  readonly id: number;
  readonly pattern: string;
  readonly urlTemplate: string;
  /** Null where nothing is known that it would link. */
  readonly example: ShownExample | null;
  /** Which earlier ones take its example, in sentences. */
  readonly notes: readonly string[];
}

/** What the page of linkifiers shows. */
export interface LinkifiersData {
  readonly linkifiers: readonly ListedLinkifier[];
  /** How many the organization has. */
  readonly total: number;
  readonly isFull: boolean;
  /** What was searched for; empty for all. */
  readonly search: string;
  /** How many the search found. */
  readonly found: number;
  /** Where the pages before and behind this one begin; null where there is none. */
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
  const ready = await readLinkifiers(chat, realm.id);
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
  { linked, compiled }: { linked: LinkedExample | undefined; compiled: CompiledLinkifier | undefined },
): ListedLinkifier {
  const { id, pattern, url_template: urlTemplate, example_input: text } = linkifier;
  const example = text === null
    ? exampleOfGallery(compiled)
    : { text, url: linked?.link?.url ?? null, isUntried: linked?.link === null && linked.isUntried };
  return { id, pattern, urlTemplate, example, notes: linked === undefined ? [] : toNotes(request, linked) };
}

function toNotes({ speech, words }: AdminRequest, { takenBy }: LinkedExample): readonly string[] {
  return takenBy.map(({ pattern }) => speech.say(words.linkifiers.takenBy, { pattern }));
}

/** The first example of the gallery in which a linkifier finds something. */
function exampleOfGallery(compiled: CompiledLinkifier | undefined): ShownExample | null {
  if (compiled === undefined) return null;
  for (const { fields: { example_input: text } } of LINKIFIER_GALLERY) {
    const [link] = findLinksOf(compiled, text);
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
  // The page may show some of them alone, and others may have come or gone: those shown change places among themselves.
  const shown = [...new Set(fields.ints("order"))].filter((id) => ids.includes(id));
  const places = new Set(shown);
  const rest = shown.values();
  const order = ids.map((id) => places.has(id) ? rest.next().value ?? id : id);
  return await putInOrder(request, fields.int("id"), order);
}

/** Puts linkifiers into an order, and says where one of them went. */
export async function putInOrder(
  request: AdminRequest,
  movedId: number | null,
  order: readonly number[],
): Promise<Done> {
  const { chat, realm, caller, speech, words } = request;
  await reorderLinkifiers(chat, caller, order);
  const all = await listLinkifiers(chat, realm.id);
  const moved = all.find(({ id }) => id === movedId);
  if (moved === undefined) return { said: "" };
  const place = all.indexOf(moved) + 1;
  const examples = (await readLinkifiers(chat, realm.id)).examples();
  return {
    said: speech.say(words.common.moved, { name: moved.pattern, place, count: all.length }),
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
