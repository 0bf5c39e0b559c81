import { createEmoji, deactivateEmoji } from "@/lib/chat/emoji/change_emoji.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/pictures.ts";
import { emojiUrl, findRealmEmoji, MAX_EMOJI_NAME } from "@/lib/chat/emoji/model.ts";
import { MIB } from "@/lib/chat/files/model.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { listEmojiPage } from "./emoji_list.ts";
import type { FormFields } from "../form_fields.ts";

/** A custom emoji in the list. */
export interface ListedEmoji {
  readonly id: string;
  readonly name: string;
  /** Path of its image. */
  readonly url: string;
  /** Name of the user who added it; null when unknown. */
  readonly author: string | null;
}

/** Data of the custom emoji page. */
export interface EmojiData {
  readonly emoji: readonly ListedEmoji[];
  /** Search text. */
  readonly search: string;
  /** Name after which the next page begins, or null. */
  readonly next: string | null;
  readonly isFirstPage: boolean;
  readonly limits: { readonly name: number; readonly mib: number };
}

const EMOJI = "/admin/organization/emoji";

/** The page of custom emoji: list and add. */
export const emojiPage: AdminPageSpec<EmojiData> = {
  load: loadEmoji,
  actions: {
    add: { run: add, fields: { emoji_name: "name" }, fieldOf: () => "picture" },
  },
  files: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE, action: "add" },
};

async function loadEmoji(request: AdminRequest): Promise<EmojiData> {
  const { chat, realm, query } = request;
  const search = (query.get("q") ?? "").trim().slice(0, MAX_EMOJI_NAME);
  const after = (query.get("after") ?? "").slice(0, MAX_EMOJI_NAME);
  const wanted = search.toLowerCase().replaceAll(":", "").replaceAll(" ", "_");
  const { emoji, next } = await listEmojiPage(request, { search: wanted, after });
  const authors = await readNames(chat, realm.id, emoji.map(({ author_id }) => author_id));
  return {
    emoji: emoji.map(({ id, name, author_id }) => ({
      id: String(id),
      name,
      url: emojiUrl(realm.id, { id }),
      author: authors.get(author_id) ?? null,
    })),
    search,
    next,
    isFirstPage: after === "",
    limits: { name: MAX_EMOJI_NAME, mib: MAX_PICTURE_BYTES / MIB },
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

async function add({ chat, caller, formatter, messages }: AdminRequest, fields: FormFields): Promise<Done> {
  const text = messages.organization;
  // A form without a chosen file sends an empty one.
  const files = fields.files.filter(({ length }) => length > 0);
  if (files.length === 0) throw new FormRefusal({ picture: text.pictureMissing });
  const name = fields.exact("name");
  await createEmoji(chat, caller, { name, files });
  const kept = name.trim().replaceAll(" ", "_");
  return { flash: formatter.t(text.emojiAdded, { name: kept }), to: EMOJI };
}

/** The page that confirms deactivating an emoji. */
export const deactivateEmojiPage: AdminPageSpec<Pick<ListedEmoji, "name" | "url">> = {
  load: async ({ chat, realm, ctx }) => {
    const found = await findRealmEmoji(chat, realm.id, ctx.params["name"] ?? "");
    return found === null ? null : { name: found.name, url: emojiUrl(realm.id, found) };
  },
  actions: {
    deactivate: {
      run: async ({ chat, caller, ctx, formatter, messages }) => {
        const name = ctx.params["name"] ?? "";
        await deactivateEmoji(chat, caller, name);
        return { flash: formatter.t(messages.organization.emojiDeactivated, { name }), to: EMOJI };
      },
    },
  },
};
