import { Link } from "@/components/Link.tsx";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { toShortLink } from "@/lib/links/alphabet.ts";
import type { LinkActor } from "@/lib/links/manage/update_links.ts";
import { type FoundLink, getFoundLink } from "@/lib/links/search/find_links.ts";
import type { LinkCreator } from "@/lib/links/store.ts";
import { toLinkActor } from "@/lib/services/link_actors.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { toVisible } from "@/lib/ui/short_link.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";

/** Texts that the pages of links share. */
export const LINK_TEXTS = {
  status: "Status",
  host: "Host",
  visits: "Visits",
  created: "Created",
  disable: "Disable",
  enable: "Enable",
  qrLabel: "QR code of the short link",
  deleteText: {
    one: "The link leads nowhere from now on, and its characters are never used for another URL.",
    other: "The links lead nowhere from now on, and their characters are never used for other URLs.",
  },
};

const texts = {
  visitsOf: "{count} of {max}",
  byName: "by {name}",
  formerUser: "a former user",
  otherOrganization: "another organization",
  expires: "Expires {date}",
  states: {
    active: "Active",
    disabled: "Disabled",
    expired: "Expired",
    used_up: "Used up",
    blocked: "Host blocked",
  },
};

/** Creator of a link: a user of the viewer's organization with a name, a former user, or a user elsewhere. */
type ShownCreator = { readonly name: string; readonly path: string } | "former" | "elsewhere";

/** A link as the pages show it. */
export type ShownLink = Awaited<ReturnType<typeof toShownLinks>>[number];

/** Returns links as the pages show them. */
export async function toShownLinks(request: AdminRequest, links: readonly FoundLink[]) {
  const { baseUrl } = request.services.config;
  const toCreator = await readCreators(request);
  return links.map(({ short, closed, visits, last, ...record }) => ({
    ...{ short, url: record.url, visits, last, createdAt: record.createdAt },
    /** The absolute short link, percent-encoded. */
    link: toShortLink(baseUrl, short),
    ...{ title: record.title ?? "", note: record.note ?? "", tags: record.tags ?? [] },
    status: closed === null || closed === "deleted" ? "active" as const : closed,
    isDisabled: record.isDisabled === true,
    creator: record.creator === undefined ? null : toCreator(record.creator),
    ...{ expiresAt: record.expiresAt ?? null, maxVisits: record.maxVisits ?? null },
  }));
}

/** Returns a function that returns users as the pages show them. */
export async function readCreators(
  { chat, realm }: AdminRequest,
): Promise<(user: LinkCreator) => ShownCreator> {
  const directory = await readDirectory(chat, realm.id);
  return ({ realmId, userId }) => {
    if (realmId !== realm.id) return "elsewhere";
    const user = directory.byId.get(userId);
    return user === undefined ? "former" : { name: user.full_name, path: `/admin/users/${userId}` };
  };
}

/** Reads the link in the page's path; null without one and for a deleted one. */
export async function readShownLink(request: AdminRequest): Promise<ShownLink | null> {
  try {
    const found = await getFoundLink(request.services.links, request.ctx.params["short"] ?? "");
    return (await toShownLinks(request, [found]))[0] ?? null;
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

/** Returns the administrator of a request as the acting party of changes. */
export function linkActorOf({ services, realm, user }: AdminRequest): LinkActor {
  return toLinkActor(services, { realm, user });
}

/** Returns the path of a link's page. */
export function linkPath(short: string): string {
  return `/admin/links/${encodeURIComponent(short)}`;
}

const NAME_CHARACTERS = 48;

/** Returns the title of a link, or the beginning and end of its URL. */
export function nameOf({ title, url }: Pick<ShownLink, "title" | "url">): string {
  return title === "" ? cutMiddle(toVisible(url), NAME_CHARACTERS) : title;
}

/** Renders the state of a link, and when it expires. */
export function StatusText({ link: { status, expiresAt } }: { link: ShownLink }) {
  const { text, t, formatter } = useTexts(texts);
  return (
    <span class="grid">
      <span class={status === "active" ? "" : "font-medium text-accent"}>{text.states[status]}</span>
      {expiresAt !== null && status !== "expired" && (
        <span class="text-small text-soft">
          {t(text.expires, { date: formatter.date(expiresAt) })}
        </span>
      )}
    </span>
  );
}

/** Renders the number of visits of a link, and their maximum. */
export function VisitCount({ link: { visits: count, maxVisits: max } }: { link: ShownLink }) {
  const { text, t, formatter } = useTexts(texts);
  return <>{max === null ? formatter.number(count) : t(text.visitsOf, { count, max })}</>;
}

/** Renders the user who created or changed a link. */
export function LinkCreatorName({ creator }: { creator: ShownCreator }) {
  const { text, t } = useTexts(texts);
  if (creator === "former") return <>{t(text.byName, { name: text.formerUser })}</>;
  if (creator === "elsewhere") return <>{t(text.byName, { name: text.otherOrganization })}</>;
  return (
    <Link class="inline-flex min-h-6 items-center hover:text-ink" href={creator.path}>
      <bdi>{t(text.byName, { name: creator.name })}</bdi>
    </Link>
  );
}
