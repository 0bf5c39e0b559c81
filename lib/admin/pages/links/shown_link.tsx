import type { ComponentChildren } from "preact";
import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import type { Directory } from "@/lib/chat/organization/users/store.ts";
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

export const DELETE_TEXT = {
  one: "The link leads nowhere from now on, and its characters are never used for another URL.",
  other: "The links lead nowhere from now on, and their characters are never used for other URLs.",
};

/** Names of the states of a link. */
export const LINK_STATES = {
  active: "Active",
  disabled: "Disabled",
  expired: "Expired",
  used_up: "Used up",
  blocked: "Host blocked",
};

/** A link as the pages show it. */
export type ShownLink = ReturnType<typeof toShownLink>;

/** Returns a link with its state and the absolute short link, percent-encoded. */
export function toShownLink({ services }: AdminRequest, { closed, ...link }: FoundLink) {
  return {
    ...link,
    link: toShortLink(services.config.baseUrl, link.short),
    status: closed === null || closed === "deleted" ? "active" as const : closed,
  };
}

/** Reads the link of the page's path; null without one and for a deleted one. */
export async function readShownLink(request: AdminRequest): Promise<ShownLink | null> {
  try {
    const found = await getFoundLink(request.services.links, request.ctx.params["short"] ?? "");
    return toShownLink(request, found);
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
  return title ?? cutMiddle(toVisible(url), NAME_CHARACTERS);
}

/** Renders the state of a link, and when it expires. */
export function StatusText({ link: { status, expiresAt } }: { link: ShownLink }) {
  const { t, formatter } = useTexts(null);
  return (
    <Noted
      note={expiresAt !== undefined && status !== "expired" &&
        t("Expires {date}", { date: formatter.date(expiresAt) })}
    >
      <span class={status === "active" ? "" : "font-medium text-accent"}>{t(LINK_STATES[status])}</span>
    </Noted>
  );
}

/** Renders a value of a link, with a note below it if there is one. */
export function Noted({ note, children }: { note: ComponentChildren; children: ComponentChildren }) {
  return (
    <span class="grid">
      {children}
      {note && <span class="text-small text-soft">{note}</span>}
    </span>
  );
}

/** Renders a URL, which may break anywhere. */
export function UrlText({ url }: { url: string }) {
  return (
    <bdi class="wrap-anywhere">
      <BreakableText text={url} />
    </bdi>
  );
}

/** Renders the number of visits of a link, and their maximum. */
export function VisitCount({ link: { visits: count, maxVisits: max } }: { link: ShownLink }) {
  const { t, formatter } = useTexts(null);
  return <>{max === undefined ? formatter.number(count) : t("{count} of {max}", { count, max })}</>;
}

interface LinkCreatorNameProps {
  readonly creator: LinkCreator;
  /** Users of the organization by id. */
  readonly users: Directory["byId"];
}

/** Renders the user who created or changed a link. */
export function LinkCreatorName({ creator: { realmId, userId }, users }: LinkCreatorNameProps) {
  const { t, realm } = useTexts(null);
  const user = realmId === realm.id ? users.get(userId) : undefined;
  if (user === undefined) {
    const name = t(realmId === realm.id ? "a former user" : "another organization");
    return <>{t("by {name}", { name })}</>;
  }
  return (
    <Link class="inline-flex min-h-6 items-center hover:text-ink" href={`/admin/users/${userId}`}>
      <bdi>{t("by {name}", { name: user.full_name })}</bdi>
    </Link>
  );
}
