import type { Context } from "fresh";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { FilterField, FilterForm } from "@/components/admin/FilterForm.tsx";
import { Link } from "@/components/Link.tsx";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { compareNames } from "@/lib/core/text.ts";
import type { State } from "@/lib/services/services.ts";
import { type AdminRequest, adminRequest, countSearch } from "../admin_request.ts";
import { adminPage } from "../declare/page.tsx";
import {
  findShortLinks,
  findTargets,
  fold,
  type FoundRecord,
  MAX_OF_KIND,
  MAX_TEXT,
} from "./find_targets.ts";

/** Maximum number of results in the search dialog, and on the page. */
const IN_DIALOG: Limits = { records: MAX_OF_KIND, targets: 12 };
const ON_PAGE: Limits = { records: 25, targets: 100 };

/** Maximum number of records of each kind, and of pages, settings, permissions and commands together. */
interface Limits {
  readonly records: number;
  readonly targets: number;
}

/** Finds what the text in `q` means, for the search dialog. */
export async function sendFound(ctx: Context<State>): Promise<Response> {
  const found = await findAnything(adminRequest(ctx), IN_DIALOG);
  return Response.json({ found }, { headers: { "cache-control": "no-store" } });
}

/** The search without the dialog, for browsers without scripts. */
export const findPage = adminPage({
  path: "/admin/find",
  title: "Find anything",
  find: null,
  load: async (request) => ({
    text: searchTextOf(request),
    found: await findAnything(request, ON_PAGE),
    findsLinks: request.opens("/admin/links"),
  }),
  lede: ({ findsLinks }, t) =>
    t(
      findsLinks
        ? "Pages, settings, permissions, commands, people, channels, groups and short links."
        : "Pages, settings, permissions, commands, people, channels and groups.",
    ),
  view: ({ data: { text: asked, found } }) => {
    const { t } = useAdmin();
    return (
      <>
        <FilterForm clearPath={asked === "" ? null : "/admin/find"} button={t("Search")}>
          <FilterField name="q" label={t("Search")} value={asked} />
        </FilterForm>
        {asked !== "" && found.length === 0 && (
          <p class="text-soft">{t("No results. Check the spelling, or use fewer words.")}</p>
        )}
        <ul class="border-t border-rule empty:hidden">
          {found.map((one, at) => (
            <li
              key={at}
              class="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-b border-rule py-2"
            >
              <Found found={one} />
              <span class="text-small text-soft">{one.about}</span>
            </li>
          ))}
        </ul>
      </>
    );
  },
});

function Found({ found: { path, name, form } }: { found: FoundRecord }) {
  if (form === undefined) {
    return (
      <Link class="link min-w-0 break-words" href={path}>
        <bdi>{name}</bdi>
      </Link>
    );
  }
  return (
    <form method="post" action={path}>
      {Object.entries(form).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <button type="submit" class="link cursor-pointer">{name}</button>
    </form>
  );
}

/** @throws AppError RATE_LIMIT_HIT. */
async function findAnything(request: AdminRequest, limits: Limits): Promise<readonly FoundRecord[]> {
  const text = searchTextOf(request);
  if (text === "") return [];
  await countSearch(request);
  const found = await Promise.all([
    findTargets(request, text).slice(0, limits.targets),
    findRecords(request, text, limits.records),
    findShortLinks(request, text),
  ]);
  return found.flat();
}

function searchTextOf({ query }: AdminRequest): string {
  return (query.get("q") ?? "").slice(0, MAX_TEXT).trim();
}

/** Finds users, channels and groups by the words of their names, at most `limit` of each. */
async function findRecords(
  { chat, realm, user, t, opens, readPermissions }: AdminRequest,
  text: string,
  limit: number,
): Promise<readonly FoundRecord[]> {
  const permissions = await readPermissions();
  const directory = opens("/admin/users") ? (await readDirectory(chat, realm.id)).byName : [];
  const visible = await listVisibleChannels(chat, permissions, user);
  const isUser = toMatcher(text);
  const isChannel = toMatcher(text.replace(/^#/, ""));
  const isGroup = toMatcher(text.replace(/^@/, ""));
  const users = directory.values().filter(({ full_name }) => isUser(full_name))
    .map(({ id, full_name }) => ({ path: `/admin/users/${id}`, name: full_name, about: t("Users") }));
  const channels = visible.values().map(({ channel }) => channel)
    .filter(({ id, name }) => isChannel(name) && opens(`/admin/channels/${id}`))
    .map(({ id, name }) => ({ path: `/admin/channels/${id}`, name: `#${name}`, about: t("Channels") }));
  const groups = permissions.groups.values()
    .filter(({ id, name }) => isGroup(name) && opens(`/admin/groups/${id}`))
    .map(({ id, name }) => ({ path: `/admin/groups/${id}`, name, about: t("Groups") })).toArray()
    .sort((one, other) => compareNames(one.name, other.name));
  return [...users.take(limit), ...channels.take(limit), ...groups.slice(0, limit)];
}

/** Returns whether a name contains every word of a text, whatever the case and the accents. */
function toMatcher(text: string): (name: string) => boolean {
  const words = fold(text).split(/\s+/);
  return (name) => {
    const folded = fold(name);
    return words.every((word) => folded.includes(word));
  };
}
