import { listNavItems } from "@/components/admin/shell/nav_items.ts";
import { REALM_SETTINGS } from "@/lib/chat/organization/organizations/settings.ts";
import {
  type PermissionOwner,
  shownPermissionRules,
} from "@/lib/chat/organization/permissions/model/registry.ts";
import { THEMES } from "@/lib/ui/themes.ts";
import type { AdminRequest } from "../admin_request.ts";
import { DECLARED_PAGES } from "../pages/declared_pages.ts";
import { SECTION_IDS } from "../pages/organization/organization.tsx";
import { SECTION_FIELDS } from "../pages/organization/settings.tsx";
import { toWhoCanPath } from "../pages/organization/who_can.tsx";
import { findLinks } from "@/lib/links/search/find_links.ts";
import { findPastedLink } from "@/lib/links/actions.ts";
import { toListPath } from "../pages/links/list_query.ts";
import { linkPath } from "../pages/links/shown_link.tsx";

/** Something that is found by its name or by other words for it. */
interface Target extends FoundRecord {
  readonly words?: string | undefined;
}

const ORGANIZATION = "/admin/organization";
/** Sections of the status page: id, title and other words. */
const STATES = [
  ["mail", "Email", "smtp outgoing mail delivery"],
  ["sign-in", "Sign-in", "login authentication sso jwt tokens"],
  ["push", "Push notifications", "mobile phones"],
  ["video", "Video calls", "meetings zoom jitsi"],
  ["uploads", "Uploads", "files size limit quota storage disk attachments"],
  ["web", "Reading without an account", "spectators anonymous"],
  ["limits", "Rate limits", "throttle brute force passwords"],
  ["address", "Address", "base url host name https tls certificate"],
  ["version", "Version", "update upgrade release"],
] as const;

/** Other words for sections of the organization's settings. */
const SECTION_WORDS: Readonly<Partial<Record<typeof SECTION_IDS[number], string>>> = {
  profile: "name rename description",
  domains: "email addresses",
};

/** Finds pages, settings, permissions and commands that the user may open, the best matches first. */
export function findTargets(request: AdminRequest, text: string): readonly FoundRecord[] {
  const asked = fold(text);
  const words = asked.split(/\s+/);
  // The later a match is found, the worse it is.
  const rank = ({ name, about, words: others = "" }: Target) =>
    fold(name).startsWith(asked) ? 0 : [
      "",
      name,
      `${name} ${others}`,
      `${name} ${others} ${about}`,
    ].findIndex((haystack) => words.every((word) => fold(haystack).includes(word)));
  const targets: readonly Target[] = [
    ...listPages(request),
    ...listSettings(request),
    ...listPermissions(request),
    ...listCommands(request),
  ].filter(({ path }) => !path.startsWith("/admin") || request.opens(path.split(/[?#]/)[0] ?? path));
  const ranked = targets.map((target) => ({ target, rank: rank(target) })).filter(({ rank }) => rank >= 0);
  return ranked.toSorted((one, other) => one.rank - other.rank)
    .map(({ target: { words: _, ...found } }) => found);
}

function listPages(request: AdminRequest): readonly Target[] {
  const { messages: { shell, users }, t } = request;
  const items = listNavItems(request);
  const pages = DECLARED_PAGES.flatMap(({ path, find }) => {
    if (find === null) return [];
    const item = items.find((one) => one.path === path);
    const name = item === undefined ? t(find.name) : shell.pages[item.name];
    return name === "" ? [] : [{ path, name, about: t(find.above), words: find.words }];
  });
  const names = new Set(pages.map(({ name }) => name));
  const actions = items.flatMap(({ path, name, action, actionPath }) =>
    action === undefined || names.has(shell.actions[action])
      ? []
      : [{ path: actionPath ?? path, name: shell.actions[action], about: shell.pages[name] }]
  );
  const account = ACCOUNT.map(([id, name, words]) => ({
    path: `/account#${id}`,
    name: t(name),
    words,
    about: shell.account,
  }));
  return [
    ...pages,
    {
      path: "/admin/users?tab=bots",
      name: users.bots,
      about: shell.pages.users,
      words: "integrations webhooks",
    },
    ...actions,
    { path: "/account", name: shell.account, about: "", words: "my profile name" },
    ...account,
    { path: "/connect", name: t("Connect an app"), about: "", words: "client phone desktop" },
    {
      path: "/docs/admin/overview",
      name: t("Administrator’s guide"),
      about: "",
      words: "help manual documentation",
    },
    { path: "/docs", name: t("API documentation"), about: "", words: "openapi endpoints" },
  ];
}

/** Sections of the account page: id, name and other words. */
const ACCOUNT = [
  ["password", "Change password", "security lost forgot"],
  ["email", "Change email address", "mail"],
  ["api-key", "API key", "token"],
  ["sessions", "Sessions", "devices logout everywhere"],
  ["time-zone", "Time zone", "timezone clock"],
] as const;

function listSettings({ messages: { organization: text }, t }: AdminRequest): readonly Target[] {
  const about = t("Organization");
  const shown = new Set(Object.values(SECTION_FIELDS).flatMap((fields) => Object.keys(fields)));
  return [
    ...SECTION_IDS.map((id) => ({
      path: `${ORGANIZATION}#${id}`,
      name: text[id],
      about,
      words: SECTION_WORDS[id],
    })),
    ...Object.entries(REALM_SETTINGS).filter(([name]) => shown.has(name)).map(([name, { label, words }]) => ({
      path: `${ORGANIZATION}#${name}`,
      name: t(label),
      about,
      words,
    })),
    ...STATES.map(([id, name, words]) => ({
      path: `${ORGANIZATION}/status#${id}`,
      name: t(name),
      about: t("Status"),
      words,
    })),
  ];
}

function listPermissions({ messages: { permissions } }: AdminRequest): readonly Target[] {
  const toTargets = (owner: PermissionOwner, toPath: (setting: string) => string) =>
    shownPermissionRules(owner).map(({ setting, words, label }) => ({
      path: toPath(setting),
      name: permissions.settings[owner][setting]?.label ?? label,
      about: permissions.kinds[owner],
      words,
    }));
  return [
    ...toTargets("realm", (setting) => `${ORGANIZATION}/permissions#${setting}`),
    ...toTargets("channel", (setting) => toWhoCanPath("channel", setting)),
    ...toTargets("user_group", (setting) => toWhoCanPath("user_group", setting)),
  ];
}

/** Files that can be downloaded: position of the page's name, path, and the fields of the form that asks for it. */
const FILES = [
  ["users", "/admin/users/export"],
  ["activity", "/admin/activity/export?what=messages"],
  ["audit", "/admin/audit", { action: "export" }],
  ["invitations", "/admin/invitations", { action: "export" }],
  ["links", "/admin/stats/export?what=urls&format=csv"],
] as const;

function listCommands({ messages: { shell }, t }: AdminRequest): readonly Target[] {
  return [
    { path: "/logout", name: shell.signOut, about: "", words: "log out logout", form: {} },
    ...THEMES.map((theme) => ({
      path: "/admin/theme",
      name: t("{name} theme", { name: shell.themes[theme] }),
      about: shell.theme,
      words: "mode appearance",
      form: { theme },
    })),
    ...FILES.map(([name, path, form]) => ({
      path,
      name: t("Export {name} (CSV)", { name: shell.pages[name] }),
      about: shell.pages[name],
      words: "data download",
      ...(form === undefined ? {} : { form }),
    })),
  ];
}

/** Something that is found by text: a record, a page, a setting or a command. */
export interface FoundRecord {
  readonly path: string;
  readonly name: string;
  /** Kind of record, or the page that it is on. */
  readonly about: string;
  /** Fields of the form that a command sends to its path. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Maximum number of results of each kind. */
export const MAX_OF_KIND = 5;
/** Maximum length of a search text and of a shown URL, in UTF-16 code units. */
export const MAX_TEXT = 200;

/** Normalizes text for comparison: lower case without accents. */
export function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

/** A search is repeated while a text is typed, so it compares a part of what the page of links does. */
const MAX_COMPARED = 250;

/**
 * Finds short links by their address or id, and by words of the URL, the title or a tag, newest first. Where there are
 * more, the last result is the page of links with this search. Links are managed by administrators of the root
 * organization; others find none.
 */
export async function findShortLinks(request: AdminRequest, text: string): Promise<readonly FoundRecord[]> {
  if (!request.opens("/admin/links")) return [];
  const { services: { links }, messages, formatter } = request;
  const pasted = await findPastedLink(links, text);
  const search = {
    filter: { text },
    order: "newest",
    limit: MAX_OF_KIND,
    maxCompared: MAX_COMPARED,
  } as const;
  const { links: found, next, isComplete } = await findLinks(links, search);
  const about = messages.stats.linkTitle;
  const all = [
    ...(pasted === null || pasted.deletedAt !== undefined ? [] : [{ short: pasted.short, name: pasted.url }]),
    ...found.filter(({ short }) => short !== pasted?.short)
      .map(({ short, title, url }) => ({ short, name: title ?? url })),
  ];
  const shown = all.map(({ short, name }) => ({
    path: linkPath(short),
    name: name.slice(0, MAX_TEXT),
    about,
  }));
  if (next === null && isComplete) return shown;
  const path = `${toListPath({ text, host: "", status: null, order: "newest", cursor: null })}#list`;
  const name = formatter.t(messages.shell.palette.allLinks, { text });
  return [...shown, { path, name, about: messages.shell.pages.links }];
}
