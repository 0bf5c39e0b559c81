import { parseUtc } from "@/lib/core/days.ts";
import { AppError } from "@/lib/core/errors.ts";
import { LINK_LIMITS } from "@/lib/links/manage/properties.ts";
import { deleteLinks, updateLinks } from "@/lib/links/manage/update_links.ts";
import { getFoundLink } from "@/lib/links/search/find_links.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { requireRevision, revisionOf } from "../revision.ts";
import { switchLink } from "./links_page.ts";
import { linkActorOf, type ShownLink, toShownLinks } from "./shown_link.ts";

/** Data of a link's page. */
export interface LinkData {
  readonly link: ShownLink;
  /** Time of expiry as its field has it: UTC without a zone. */
  readonly expires: string;
  readonly revision: string;
  readonly limits: typeof LINK_LIMITS;
}

/** The page of a link. */
export const linkPage: AdminPageSpec<LinkData> = {
  load: loadLink,
  actions: {
    save: {
      run: saveLink,
      fields: { title: "title", note: "note", tags: "tags", expiresAt: "expires", maxVisits: "max_visits" },
    },
    disable: { run: (request, fields) => switchLink(request, fields, true) },
    enable: { run: (request, fields) => switchLink(request, fields, false) },
  },
};

/** The page that confirms deleting a link. */
export const deleteLinkPage: AdminPageSpec<LinkData> = {
  load: loadLink,
  actions: { delete: { run: deleteLink } },
};

async function loadLink(request: AdminRequest): Promise<LinkData | null> {
  const found = await findPathLink(request);
  const [link] = found === null ? [] : await toShownLinks(request, [found]);
  if (link === undefined) return null;
  return {
    link,
    expires: toField(link.expiresAt),
    revision: revisionOf(propertiesOf(link)),
    limits: LINK_LIMITS,
  };
}

/** Returns the link in the page's path; null without one and for a deleted one. */
async function findPathLink({ ctx, services }: AdminRequest) {
  try {
    return await getFoundLink(services.links, ctx.params["short"] ?? "");
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

function propertiesOf({ title, note, tags, expiresAt, maxVisits }: ShownLink): unknown {
  return [title, note, tags, expiresAt, maxVisits];
}

async function saveLink(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, formatter, messages } = request;
  const data = await loadLink(request);
  if (data === null) throw new FormRefusal({ form: messages.common.gone });
  requireRevision(request, fields, propertiesOf(data.link));
  const patch = {
    title: fields.exact("title"),
    note: fields.exact("note"),
    tags: fields.exact("tags").split(","),
    expiresAt: readExpiry(request, fields, data),
    maxVisits: readMaxVisits(request, fields),
  };
  await updateLinks(links, { shorts: [data.link.short], patch }, linkActorOf(request));
  return { flash: formatter.t(messages.links.saved) };
}

/** A field that shows the stored time keeps its seconds. */
function readExpiry(
  { messages }: AdminRequest,
  fields: FormFields,
  { link, expires }: LinkData,
): number | null {
  const text = fields.text("expires").trim();
  if (text === "") return null;
  if (text === expires) return link.expiresAt;
  const time = text.includes("T") ? parseUtc(text) : Number.NaN;
  if (Number.isNaN(time)) throw new FormRefusal({ expires: messages.links.notTime });
  return time;
}

function readMaxVisits({ messages }: AdminRequest, fields: FormFields): number | null {
  if (fields.text("max_visits").trim() === "") return null;
  const count = fields.int("max_visits");
  if (count === null) throw new FormRefusal({ max_visits: messages.links.notNumber });
  return count;
}

function toField(time: number | null): string {
  return time === null ? "" : new Date(time).toISOString().slice(0, 16);
}

async function deleteLink(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { ctx, services: { links }, formatter, messages } = request;
  const shorts = [ctx.params["short"] ?? ""];
  const areVisitsDeleted = fields.text("visits") === "delete";
  const { missing } = await deleteLinks(links, { shorts, areVisitsDeleted }, linkActorOf(request));
  if (missing.length > 0) throw new FormRefusal({ form: messages.common.gone });
  return { flash: formatter.t(messages.links.deleted), to: "/admin/links" };
}
