import { addEmoji, EMOJI_TOO_LARGE, MAX_EMOJI_BYTES } from "@/lib/chat/emoji/add_emoji.ts";
import { deactivateEmoji } from "@/lib/chat/emoji/deactivate_emoji.ts";
import { findRealmEmoji, MAX_EMOJI_NAME } from "@/lib/chat/emoji/realm_emoji.ts";
import { listRealmEmoji, pictureUrl } from "@/lib/chat/emoji/view.ts";
import { MIB } from "@/lib/chat/uploads/upload.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";

/** A custom emoji in the list. */
export interface ListedEmoji {
  readonly id: string;
  readonly name: string;
  /** The picture's path. */
  readonly url: string;
  /** Who added it; null for nobody that is known. */
  readonly author: string | null;
}

/** What the page of custom emoji shows. */
export interface EmojiData {
  readonly emoji: readonly ListedEmoji[];
  /** How many are in use, whatever was looked for. */
  readonly total: number;
  /** What was looked for. */
  readonly search: string;
  /** The number of the next page, or null. */
  readonly nextPage: number | null;
  readonly isFirstPage: boolean;
  readonly limits: { readonly name: number; readonly mib: number };
}

const PAGE_SIZE = 100;
const EMOJI = "/admin/organization/emoji";

/** The page of custom emoji: list, add. */
export const emojiPage: AdminPageSpec<EmojiData> = {
  load: loadEmoji,
  actions: {
    add: { run: add, fieldOf: ({ message }) => /name/i.test(message) ? "name" : "picture" },
  },
  files: { maxBytes: MAX_EMOJI_BYTES, tooLarge: EMOJI_TOO_LARGE, action: "add" },
};

async function loadEmoji({ chat, realm, query }: AdminRequest): Promise<EmojiData> {
  const inUse = Object.values(await listRealmEmoji(chat, realm.id))
    .filter(({ deactivated }) => !deactivated)
    .sort((one, other) => one.name.localeCompare(other.name, "en"));
  const search = (query.get("q") ?? "").trim().slice(0, MAX_EMOJI_NAME);
  const wanted = search.toLowerCase().replaceAll(":", "").replaceAll(" ", "_");
  const found = inUse.filter(({ name }) => name.includes(wanted));
  const page = Math.max(1, Math.trunc(Number(query.get("page") ?? 1)) || 1);
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const authors = await readNames(chat, realm.id, shown.map(({ author_id }) => author_id));
  return {
    emoji: shown.map(({ id, name, source_url, author_id }) => ({
      id,
      name,
      url: source_url,
      author: authors.get(author_id) ?? null,
    })),
    total: inUse.length,
    search,
    nextPage: found.length > page * PAGE_SIZE ? page + 1 : null,
    isFirstPage: page === 1,
    limits: { name: MAX_EMOJI_NAME, mib: MAX_EMOJI_BYTES / MIB },
  };
}

async function readNames(
  chat: AdminRequest["chat"],
  realmId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const users = await Promise.all([...new Set(ids)].map((id) => readUser(chat, realmId, id)));
  return new Map(users.filter((user) => user !== null).map(({ id, full_name }) => [id, full_name]));
}

async function add({ chat, caller, speech, words }: AdminRequest, fields: FormFields): Promise<Done> {
  const text = words.organization;
  // A form without a chosen file sends an empty one.
  const files = fields.files.filter(({ length }) => length > 0);
  if (files.length === 0) throw new FormRefusal({ picture: text.pictureMissing });
  const name = fields.text("name");
  await addEmoji(chat, caller, { name, files });
  const kept = name.trim().replaceAll(" ", "_");
  return { said: speech.say(text.emojiAdded, { name: kept }), to: EMOJI };
}

/** The page that asks before an emoji is taken out of use. */
export const deactivateEmojiPage: AdminPageSpec<Pick<ListedEmoji, "name" | "url">> = {
  load: async ({ chat, realm, ctx }) => {
    const found = await findRealmEmoji(chat, realm.id, ctx.params["name"] ?? "");
    return found === null ? null : { name: found.name, url: pictureUrl(realm.id, found) };
  },
  actions: {
    deactivate: {
      run: async ({ chat, caller, ctx, speech, words }) => {
        const name = ctx.params["name"] ?? "";
        await deactivateEmoji(chat, caller, name);
        return { said: speech.say(words.organization.emojiDeactivated, { name }), to: EMOJI };
      },
    },
  },
};
