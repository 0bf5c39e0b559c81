import { Link } from "@/components/Link.tsx";
import { type Directory, readDirectory } from "@/lib/chat/users/store.ts";
import { toShortLink } from "@/lib/links/alphabet.ts";
import type { LinkActor } from "@/lib/links/manage/update_links.ts";
import type { FoundLink } from "@/lib/links/search/find_links.ts";
import type { LinkCreator } from "@/lib/links/store.ts";
import { toLinkActor } from "@/lib/services/link_actors.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { useTexts } from "../../declare/texts.ts";

const texts = {
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
export type ShownCreator = { readonly name: string; readonly path: string } | "former" | "elsewhere";

/** A link as the pages show it. */
export interface ShownLink {
  readonly short: string;
  /** The absolute short link, percent-encoded. */
  readonly link: string;
  readonly url: string;
  readonly title: string;
  readonly note: string;
  readonly tags: readonly string[];
  readonly status: "active" | "disabled" | "expired" | "used_up" | "blocked";
  readonly isDisabled: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly creator: ShownCreator | null;
  /** Milliseconds since 1970 UTC, or null. */
  readonly expiresAt: number | null;
  readonly maxVisits: number | null;
  readonly visits: number;
}

/** Returns links as the pages show them. */
export async function toShownLinks(
  { services, chat, realm }: AdminRequest,
  links: readonly FoundLink[],
): Promise<ShownLink[]> {
  const hasCreators = links.some(({ creator }) => creator !== undefined);
  const directory = hasCreators ? await readDirectory(chat, realm.id) : null;
  const toCreator = (creator: LinkCreator) =>
    creator.realmId === realm.id ? findCreator(directory, creator.userId) : "elsewhere";
  return links.map(({ short, closed, visits, ...record }) => ({
    ...{ short, link: toShortLink(services.config.baseUrl, short), url: record.url, visits },
    ...{ title: record.title ?? "", note: record.note ?? "", tags: record.tags ?? [] },
    status: closed === null || closed === "deleted" ? "active" : closed,
    isDisabled: record.isDisabled === true,
    createdAt: record.createdAt,
    creator: record.creator === undefined ? null : toCreator(record.creator),
    expiresAt: record.expiresAt ?? null,
    maxVisits: record.maxVisits ?? null,
  }));
}

function findCreator(directory: Directory | null, userId: number): ShownCreator {
  const user = directory?.byId.get(userId);
  return user === undefined ? "former" : { name: user.full_name, path: `/admin/users/${userId}` };
}

/** Returns the administrator of a request as the acting party of changes. */
export function linkActorOf({ services, realm, user }: AdminRequest): LinkActor {
  return toLinkActor(services, { realm, user });
}

/** Returns the path of a link's page. */
export function linkPath(short: string): string {
  return `/admin/links/${encodeURIComponent(short)}`;
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

/** Renders the tags of a link, each of which leads to the links with that tag. */
export function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul class="flex flex-wrap gap-x-3 text-small">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            class="inline-flex min-h-6 items-center text-soft hover:text-ink"
            href={`/admin/links?q=${encodeURIComponent(toQuery(tag))}#links`}
          >
            <bdi>#{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A tag with blanks is searched by its words. */
function toQuery(tag: string): string {
  return /\s/.test(tag) ? tag : `#${tag}`;
}

/** Renders the creator of a link. */
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
