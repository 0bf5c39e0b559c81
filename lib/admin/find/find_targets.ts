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
import { fold, type FoundRecord } from "./found_record.ts";

/** Something that is found by its name or by other words for it. */
interface Target extends FoundRecord {
  readonly words?: string | undefined;
}

const ORGANIZATION = "/admin/organization";
/** Sections of the status page with the names of their titles. */
const STATES = [
  ["mail", "mail"],
  ["sign-in", "signIn"],
  ["push", "push"],
  ["video", "video"],
  ["uploads", "uploads"],
  ["limits", "limits"],
  ["address", "address"],
] as const;

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
  const { realm, messages: { shell, users }, t } = request;
  const items = listNavItems(request);
  const pages = DECLARED_PAGES.flatMap(({ path, find }) => {
    if (find === null || (realm.subdomain !== "" && isOfServer(path))) return [];
    const item = items.find((one) => one.path === path);
    const name = item === undefined ? t(find.name) : shell.places[item.name];
    return name === "" ? [] : [{ path, name, about: t(find.above), words: find.words }];
  });
  const names = new Set(pages.map(({ name }) => name));
  const actions = items.flatMap(({ path, name, deed, deedPath }) =>
    deed === undefined || names.has(shell.actions[deed])
      ? []
      : [{ path: deedPath ?? path, name: shell.actions[deed], about: shell.places[name] }]
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
      path: "/admin/users?tab=people",
      name: t("People"),
      about: shell.places.users,
      words: "members accounts roles",
    },
    { path: "/admin/users?tab=bots", name: users.bots, about: shell.places.users },
    ...actions,
    { path: "/account", name: shell.account, about: "", words: "profile" },
    ...account,
    { path: "/connect", name: t("Connect an app"), about: "", words: "client phone desktop" },
    { path: "/docs", name: t("API documentation"), about: "", words: "openapi endpoints" },
  ];
}

/** Whether a page is about the server, which only the root organization manages. */
function isOfServer(path: string): boolean {
  return /^\/admin\/(links|stats)\b/.test(path);
}

/** Sections of the account page: id, name and other words. */
const ACCOUNT = [
  ["password", "Change password", "security"],
  ["email", "Change email address", "mail"],
  ["api-key", "API key", "token"],
  ["sessions", "Sessions", "devices"],
  ["time-zone", "Time zone", "clock"],
] as const;

function listSettings({ messages: { organization: text }, t }: AdminRequest): readonly Target[] {
  const about = text.title;
  const shown = new Set(Object.values(SECTION_FIELDS).flatMap((fields) => Object.keys(fields)));
  return [
    ...SECTION_IDS.map((id) => ({ path: `${ORGANIZATION}#${id}`, name: text[id], about })),
    ...Object.entries(REALM_SETTINGS).filter(([name]) => shown.has(name)).map(([name, { label, words }]) => ({
      path: `${ORGANIZATION}#${name}`,
      name: t(label),
      about,
      words,
    })),
    ...STATES.map(([id, name]) => ({
      path: `${ORGANIZATION}/status#${id}`,
      name: text[name],
      about: t("Status"),
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

function listCommands({ realm, messages: { shell }, t }: AdminRequest): readonly Target[] {
  const files = FILES.filter(([, path]) => realm.subdomain === "" || !isOfServer(path));
  return [
    { path: "/logout", name: shell.signOut, about: "", words: "log out", form: {} },
    ...THEMES.map((theme) => ({
      path: "/admin/theme",
      name: t("{name} theme", { name: shell.themes[theme] }),
      about: shell.theme,
      words: "mode appearance",
      form: { theme },
    })),
    ...files.map(([name, path, form]) => ({
      path,
      name: t("Export {name} (CSV)", { name: shell.places[name] }),
      about: shell.places[name],
      words: "data download",
      ...(form === undefined ? {} : { form }),
    })),
  ];
}
