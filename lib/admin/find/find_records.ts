import type { Context } from "fresh";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { permissionsOf } from "@/lib/chat/permissions/store.ts";
import { readDirectory } from "@/lib/chat/users/store.ts";
import type { State } from "@/lib/services/services.ts";
import { type AdminRequest, adminRequest } from "../admin_request.ts";
import { findShortLinks } from "./find_short_links.ts";
import { type FoundRecord, MAX_OF_KIND, MAX_TEXT } from "./found_record.ts";

/**
 * Finds people, channels, settings and short links by the text in `q`, for the search dialog.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function findRecords(ctx: Context<State>): Promise<Response> {
  const request = adminRequest(ctx);
  await request.services.limiter?.consume("admin_search", `${request.realm.id} ${request.user.id}`);
  const text = (request.query.get("q") ?? "").slice(0, MAX_TEXT).trim();
  const found = text === "" ? [] : await Promise.all([
    findUsers(request, text),
    findChannels(request, text),
    findSettings(request, text),
    findShortLinks(request, text),
  ]);
  return Response.json({ found: found.flat() }, { headers: { "cache-control": "no-store" } });
}

async function findUsers({ chat, realm, messages }: AdminRequest, text: string): Promise<FoundRecord[]> {
  const matches = toMatcher(text);
  const { byName } = await readDirectory(chat, realm.id);
  return firstOf(byName, ({ full_name }) => matches(full_name)).map(({ id, full_name }) => ({
    path: `/admin/users/${id}`,
    name: full_name,
    about: messages.shell.places.users,
  }));
}

async function findChannels(request: AdminRequest, text: string): Promise<FoundRecord[]> {
  const { chat, realm, user, messages } = request;
  const matches = toMatcher(text.replace(/^#/, ""));
  const viewers = await listVisibleChannels(
    chat,
    permissionsOf(await chat.readOrganization(realm.id), chat.clock),
    user,
  );
  return firstOf(viewers, ({ channel }) => matches(channel.name)).map(({ channel: { id, name } }) => ({
    path: `/admin/channels/${id}`,
    name: `#${name}`,
    about: messages.shell.places.channels,
  }));
}

function findSettings({ messages }: AdminRequest, text: string): FoundRecord[] {
  const { organization, permissions } = messages;
  const matches = toMatcher(text);
  const path = "/admin/organization";
  const sections = SECTIONS.map((id) => ({ path: `${path}#${id}`, name: organization[id] }));
  const states = STATES.map(([id, name]) => ({ path: `${path}/status#${id}`, name: organization[name] }));
  const rights = Object.values(permissions.settings.realm).map(({ label }) => ({
    path: `${path}/permissions`,
    name: label,
  }));
  return firstOf([...sections, ...states, ...rights], ({ name }) => matches(name))
    .map((one) => ({ ...one, about: organization.title }));
}

/** Sections of the settings page; their ids are the names of their titles. */
const SECTIONS = [
  "profile",
  "joining",
  "domains",
  "welcome",
  "accounts",
  "messages",
  "visitors",
  "closing",
] as const;
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

function firstOf<T>(all: readonly T[], matches: (one: T) => boolean): readonly T[] {
  const found: T[] = [];
  for (const one of all) {
    if (matches(one)) found.push(one);
    if (found.length === MAX_OF_KIND) break;
  }
  return found;
}

/** Returns whether a name contains every word of a text, whatever the case and the accents. */
function toMatcher(text: string): (name: string) => boolean {
  const words = fold(text).split(/\s+/);
  return (name) => {
    const folded = fold(name);
    return words.every((word) => folded.includes(word));
  };
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
