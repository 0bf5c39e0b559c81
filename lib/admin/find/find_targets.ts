import { normalizeText } from "@/lib/core/text.ts";
import { listNavActions } from "@/components/admin/shell/nav_items.ts";
import { REALM_SETTINGS } from "@/lib/chat/organization/organizations/settings.ts";
import {
  type PermissionOwner,
  shownPermissionRules,
} from "@/lib/chat/organization/permissions/model/registry.ts";
import { THEME_NAMES, THEMES } from "@/lib/ui/themes.ts";
import type { AdminRequest } from "../admin_request.ts";
import { DECLARED_PAGES } from "../pages/declared_pages.ts";
import { SECTIONS } from "../pages/organization/organization.tsx";
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
/** Sections of pages, and pages outside of the administration: path, name, page that it is on, and other words. */
const OTHERS: readonly (readonly [path: string, name: string, about: string, words?: string])[] = [
  ["/admin/users?tab=bots", "Bots", "Users", "integrations webhooks"],
  ["/account", "Your account", "", "my profile name"],
  ["/account#password", "Change password", "Your account", "security lost forgot"],
  ["/account#email", "Change email address", "Your account", "mail"],
  ["/account#api-key", "API key", "Your account", "token"],
  ["/account#sessions", "Sessions", "Your account", "devices logout everywhere"],
  ["/account#time-zone", "Time zone", "Your account", "timezone clock"],
  ["/connect", "Connect an app", "", "client phone desktop"],
  ["/docs/admin/overview", "Administrator’s guide", "", "help manual documentation"],
  ["/docs", "API documentation", "", "openapi endpoints"],
  ["/admin/organization/status#mail", "Email", "Status", "smtp outgoing mail delivery"],
  ["/admin/organization/status#sign-in", "Sign-in", "Status", "login authentication sso jwt tokens"],
  ["/admin/organization/status#push", "Push notifications", "Status", "mobile phones"],
  ["/admin/organization/status#video", "Video calls", "Status", "meetings zoom jitsi"],
  [
    "/admin/organization/status#uploads",
    "Uploads",
    "Status",
    "files size limit quota storage disk attachments",
  ],
  ["/admin/organization/status#web", "Reading without an account", "Status", "spectators anonymous"],
  ["/admin/organization/status#limits", "Rate limits", "Status", "throttle brute force passwords"],
  ["/admin/organization/status#address", "Address", "Status", "base url host name https tls certificate"],
  ["/admin/organization/status#version", "Version", "Status", "update upgrade release"],
];
/** Files that can be downloaded: the name of the page, path, and the fields of the form that asks for it. */
const FILES = [
  ["Users", "/admin/users/export"],
  ["Channels", "/admin/channels", { action: "export" }],
  ["Groups", "/admin/groups", { action: "export" }],
  ["Activity", "/admin/activity/export?what=messages"],
  ["Audit log", "/admin/audit", { action: "export" }],
  ["Invitations", "/admin/invitations", { action: "export" }],
  ["Short links", "/admin/stats/export?what=urls&format=csv"],
] as const;

/** Other words for sections of the organization's settings. */
const SECTION_WORDS: Readonly<Record<string, string>> = {
  profile: "name rename description",
  icon: "logo picture image",
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
  const { t } = request;
  const pages = DECLARED_PAGES.flatMap(({ path, find }) =>
    find === null ? [] : [{ path, name: t(find.name), about: t(find.above), words: find.words }]
  );
  const names = new Set(pages.map(({ name }) => name));
  return [
    ...pages,
    ...listNavActions(request).filter(({ name }) => !names.has(name)),
    ...OTHERS.map(([path, name, about, words]) => ({ path, name: t(name), about: about && t(about), words })),
  ];
}

function listSettings({ t }: AdminRequest): readonly Target[] {
  const about = t("Organization");
  const shown = new Set(Object.values(SECTION_FIELDS).flatMap((fields) => Object.keys(fields)));
  const settings = Object.entries(REALM_SETTINGS).filter(([name]) => shown.has(name));
  return [
    ...Object.entries(SECTIONS).map(([id, [title]]) => ({
      path: `${ORGANIZATION}#${id}`,
      name: t(title),
      about,
      words: SECTION_WORDS[id],
    })),
    ...settings.map(([name, { label, words }]) => ({
      path: `${ORGANIZATION}#${name}`,
      name: t(label),
      about,
      words,
    })),
  ];
}

function listPermissions({ t }: AdminRequest): readonly Target[] {
  const toTargets = (owner: PermissionOwner, about: string) =>
    shownPermissionRules(owner).map(({ setting, words, label }) => ({
      path: owner === "realm" ? `${ORGANIZATION}/permissions#${setting}` : toWhoCanPath(owner, setting),
      name: t(label),
      about,
      words,
    }));
  return [
    ...toTargets("realm", t("Permission of the organization")),
    ...toTargets("channel", t("Permission of channels")),
    ...toTargets("user_group", t("Permission of groups")),
  ];
}

function listCommands({ t }: AdminRequest): readonly Target[] {
  return [
    { path: "/logout", name: t("Sign out"), about: "", words: "log out logout", form: {} },
    ...THEMES.map((theme) => ({
      path: "/admin/theme",
      name: t("{name} theme", { name: t(THEME_NAMES[theme]) }),
      about: t("Theme"),
      words: "mode appearance",
      form: { theme },
    })),
    ...FILES.map(([page, path, form]) => ({
      path,
      name: t("Export {name} (CSV)", { name: t(page) }),
      about: t(page),
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
  return normalizeText(text, "NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
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
  const { services: { links }, t } = request;
  const pasted = await findPastedLink(links, text);
  const search = { q: text, limit: MAX_OF_KIND, maxCompared: MAX_COMPARED };
  const { links: found, next, isComplete } = await findLinks(links, search);
  const about = t("Short link");
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
  const path = `${toListPath({ q: text })}#list`;
  return [...shown, { path, name: t("All links with “{text}”", { text }), about: t("Short links") }];
}
