import {
  createLinkifier,
  deleteLinkifier,
  updateLinkifier,
} from "@/lib/chat/linkifiers/change_linkifiers.ts";
import type { LinkifierFields, LinkifierRecord } from "@/lib/chat/linkifiers/model/linkifier.ts";
import { listLinkifiers } from "@/lib/chat/linkifiers/store.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import {
  type LinkifierFormValues,
  readLinkifierForm,
  toFormValues,
  toLinkifierFields,
} from "./linkifier_form.ts";
import {
  type LinkifierTemplate,
  OFFERED_TEMPLATES,
  type OfferedTemplate,
  readLinkifierTemplate,
} from "./linkifier_gallery.ts";
import { type LinkifierPreviewView, previewForEditor } from "./linkifier_preview.ts";
import { putInOrder } from "./linkifiers_page.ts";
import { refusedByField } from "../refused_by_field.ts";
import { requireRevision, revisionOf, SEEN_FIELD } from "../revision.ts";

const LIST = "/admin/linkifiers";

/** Data of the linkifier editor. */
export interface LinkifierData {
  /** Null for a linkifier that is new. */
  readonly id: number | null;
  /** The pattern as it is stored; null for a linkifier that is new. */
  readonly stored: string | null;
  readonly values: LinkifierFormValues;
  /** The mark of what is stored. */
  readonly seen: string;
  /** The mark of what was stored when the form was first shown. */
  readonly firstSeen: string;
  readonly templates: readonly OfferedTemplate[];
  /** The template that the form was filled in with, or null. */
  readonly chosen: LinkifierTemplate["slug"] | null;
  readonly sample: string;
  readonly address: string;
  readonly preview: LinkifierPreviewView | null;
  /** Its position, from 1, and the number of linkifiers. */
  readonly place: number;
  readonly count: number;
}

/** The page that makes a linkifier. */
export const newLinkifierPage: AdminPageSpec<LinkifierData> = {
  load: (request) => loadEditor(request, null),
  actions: { create: { run: create }, preview: { run: preview } },
};

/** The page of one linkifier: what it is, and its place. */
export const linkifierPage: AdminPageSpec<LinkifierData> = {
  load: loadStored,
  actions: { save: { run: save }, preview: { run: preview }, place: { run: place } },
};

/** The page that asks before a linkifier is deleted. */
export const deleteLinkifierPage: AdminPageSpec<LinkifierData> = {
  load: loadStored,
  actions: { delete: { run: remove } },
};

async function findStored(request: AdminRequest): Promise<LinkifierRecord | null> {
  const all = await listLinkifiers(request.chat, request.realm.id);
  return all.find(({ id }) => id === pathId(request)) ?? null;
}

async function loadStored(request: AdminRequest): Promise<LinkifierData | null> {
  const stored = await findStored(request);
  return stored === null ? null : await loadEditor(request, stored);
}

async function loadEditor(request: AdminRequest, stored: LinkifierRecord | null): Promise<LinkifierData> {
  const { query } = request;
  const template = stored === null ? readLinkifierTemplate(query.get("template")) : null;
  // Without script the form is sent to this address to be tried, and comes back as it was.
  const fields = query.getAll("action").at(-1) === "preview"
    ? toLinkifierFields((name) => query.get(name) ?? "")
    : stored ?? template?.fields ?? null;
  const sample = query.get("sample") ?? "";
  const address = query.get("address") ?? "";
  const id = stored?.id ?? null;
  const all = await listLinkifiers(request.chat, request.realm.id);
  const seen = stored === null ? "" : revisionOf(stored);
  return {
    id,
    stored: stored?.pattern ?? null,
    values: toFormValues(fields),
    seen,
    firstSeen: query.get(SEEN_FIELD) ?? seen,
    templates: OFFERED_TEMPLATES,
    chosen: template?.slug ?? null,
    sample,
    address,
    preview: fields === null ? null : await previewForEditor(request, { id, fields, sample, address }),
    place: stored === null ? all.length + 1 : all.findIndex((one) => one.id === id) + 1,
    count: all.length,
  };
}

async function preview(request: AdminRequest, form: FormFields): Promise<Done> {
  const id = pathId(request);
  const tried = {
    id: Number.isNaN(id) ? null : id,
    fields: toLinkifierFields((name) => form.text(name)),
    sample: form.text("sample"),
    address: form.text("address"),
  };
  return { flash: "", result: { preview: await previewForEditor(request, tried) } };
}

async function create(request: AdminRequest, form: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const fields = readLinkifierForm(request, form);
  await refusedByField(() => createLinkifier(chat, caller, fields));
  return { flash: formatter.t(messages.linkifiers.created, { pattern: fields.pattern }), to: LIST };
}

async function save(request: AdminRequest, form: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const stored = await findStored(request);
  if (stored !== null) requireRevision(request, form, stored);
  const fields = readLinkifierForm(request, form);
  await refusedByField(() => updateLinkifier(chat, caller, { id: pathId(request), sent: toSent(fields) }));
  return { flash: formatter.t(messages.linkifiers.saved, { pattern: fields.pattern }), to: LIST };
}

/** Null is sent as an empty value, because a missing value stays unchanged. */
function toSent(fields: LinkifierFields) {
  return {
    ...fields,
    example_input: fields.example_input ?? "",
    reverse_template: fields.reverse_template ?? "",
    alternative_url_templates: [...fields.alternative_url_templates],
  };
}

async function place(request: AdminRequest, form: FormFields): Promise<Done> {
  const { chat, realm, formatter, messages } = request;
  const ids = (await listLinkifiers(chat, realm.id)).map(({ id }) => id);
  const wanted = form.int("place");
  if (wanted === null || wanted < 1 || wanted > ids.length) {
    throw new FormRefusal({ place: formatter.t(messages.linkifiers.noPlace, { count: ids.length }) });
  }
  const id = pathId(request);
  const order = ids.filter((other) => other !== id);
  order.splice(wanted - 1, 0, id);
  return { ...await putInOrder(request, id, order), to: LIST };
}

async function remove(request: AdminRequest, form: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const stored = await findStored(request);
  if (stored !== null) requireRevision(request, form, stored);
  await deleteLinkifier(chat, caller, pathId(request));
  const pattern = stored?.pattern ?? "";
  return { flash: formatter.t(messages.linkifiers.deleted, { pattern }), to: LIST };
}
