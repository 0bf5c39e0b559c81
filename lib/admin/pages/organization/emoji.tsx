import { useFormState } from "@/components/admin/form_state.ts";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { EMOJI } from "@/lib/admin/events/shown_events.ts";
import { organizationPage } from "./organization.tsx";
import { FieldFrame, getAriaAttributes } from "@/components/admin/FieldFrame.tsx";
import { ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { FilterField, FilterForm } from "@/components/admin/FilterForm.tsx";
import { Pagination } from "@/components/admin/Pagination.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { TextInput } from "@/components/admin/fields.tsx";
import { OrganizationNav } from "@/components/admin/organization/OrganizationNav.tsx";
import {
  createEmoji,
  deactivateEmoji,
  emojiKeys,
  emojiUrl,
  findRealmEmoji,
  MAX_EMOJI_NAME,
  type RealmEmojiRecord,
} from "@/lib/chat/organization/emoji.ts";
import { MIB } from "@/lib/chat/organization/files/model.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/organization/pictures.ts";
import { isAdmin, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { toEntry } from "@/lib/store/key.ts";
import { PRIMARY_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { Table } from "@/lib/admin/declare/list.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";

const texts = {
  emojiLede: "Custom emoji are available to all users in messages and reactions.",
  emojiNew: "Add emoji",
  emojiName: "Name",
  emojiNameHint:
    "Lowercase English letters, digits, spaces, dashes, underscores and periods; a letter or digit at the end. Spaces become underscores: party parrot is typed as :party_parrot:.",
  picture: "Picture",
  pictureHint: "PNG, GIF, JPEG or WebP. Square, up to {count} MiB.",
  pictureMissing: "Choose a picture.",
  emojiAdd: "Add emoji",
  emojiAdded: "Emoji :{name}: added.",
  emojiList: "Emoji",
  addedBy: "Added by",
  formerUser: "Former user",
  emojiEmpty: "There are no custom emoji yet.",
  emojiEmptyAdvice: "Pictures of 64 by 64 pixels work best. Add the first one above.",
  emojiNone: "No matching emoji.",
  shown: { one: "{count} emoji on this page", other: "{count} emoji on this page" },
  emojiSearch: "Search emoji",
  deactivate: "Deactivate",
  emojiDeactivateText:
    "Nobody can use it anymore. Existing messages still show it, and its name becomes available.",
  emojiDeactivated: "Emoji :{name}: deactivated.",
};

type EmojiData = Awaited<ReturnType<typeof loadEmoji>>;

const LIST = "/admin/organization/emoji";

async function loadEmoji(request: AdminRequest) {
  const { chat, realm, query } = request;
  const search = (query.get("q") ?? "").trim().slice(0, MAX_EMOJI_NAME);
  const after = (query.get("after") ?? "").slice(0, MAX_EMOJI_NAME);
  const wanted = search.toLowerCase().replaceAll(":", "").replaceAll(" ", "_");
  const { emoji, next } = await listEmojiPage(request, { search: wanted, after });
  const authors = new Set(emoji.map(({ author_id }) => author_id));
  const users = await Promise.all([...authors].map((id) => readUser(chat, realm.id, id)));
  const names = new Map(users.filter((user) => user !== null).map(({ id, full_name }) => [id, full_name]));
  return { realmId: realm.id, emoji, names, search, next, isFirstPage: after === "" };
}

/** Whether a user may deactivate an emoji. */
function isOwn(user: UserRecord, { author_id }: RealmEmojiRecord): boolean {
  return isAdmin(user) || author_id === user.id;
}

const add = {
  action: "add",
  fields: { emoji_name: "name" },
  fieldOf: () => "picture",
  run: async ({ chat, caller, t }: AdminRequest, fields: FormFields) => {
    // A form without a chosen file sends an empty one.
    const files = fields.files.filter(({ length }) => length > 0);
    if (files.length === 0) throw new FormRefusal({ picture: t(texts.pictureMissing) });
    const name = fields.exact("name");
    await createEmoji(chat, caller, { name, files });
    return { flash: t(texts.emojiAdded, { name: name.trim().replaceAll(" ", "_") }), to: LIST };
  },
};

/** Active emoji by name, and the name after which the next page begins; null on the last page. */
interface EmojiSlice {
  readonly emoji: readonly RealmEmojiRecord[];
  readonly next: string | null;
}

const PAGE_SIZE = 100;

/**
 * Lists a page of the active emoji whose names contain `search`, by name, after the one named `after`. Reads
 * names only and, without a search, no more of them than the page shows.
 */
async function listEmojiPage(
  { chat, realm }: Pick<AdminRequest, "chat" | "realm">,
  { search, after }: { search: string; after: string },
): Promise<EmojiSlice> {
  const prefix = emojiKeys.byName(realm.id, "").slice(0, -1);
  const start = [...prefix, after === "" ? "" : `${after}\0`];
  const selector = { prefix, start };
  const listing = chat.store.kv.list(selector, { batchSize: search === "" ? PAGE_SIZE + 1 : 500 });
  const found: { name: string; id: number }[] = [];
  for await (const entry of listing) {
    const { key, value } = toEntry<number>(entry);
    const name = String(key.at(-1));
    if (name.includes(search)) found.push({ name, id: value });
    if (found.length > PAGE_SIZE) break;
  }
  const shown = found.slice(0, PAGE_SIZE);
  const records = await Promise.all(
    shown.map(({ id }) => chat.reads.read<RealmEmojiRecord>(emojiKeys.emoji(realm.id, id))),
  );
  return {
    emoji: records.filter((record) => record !== null),
    next: found.length > PAGE_SIZE ? shown.at(-1)?.name ?? null : null,
  };
}

/** The page of the organization's custom emoji: upload form and list. */
export const emojiPage = adminPage({
  path: LIST,
  load: loadEmoji,
  title: "Custom emoji",
  find: { words: "reactions pictures" },
  lede: texts.emojiLede,
  above: [organizationPage],
  shows: EMOJI,
  forms: [add],
  files: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE, action: add.action },
  view: ({ data }) => {
    const { text } = useTexts(texts);
    return (
      <>
        <OrganizationNav here="emoji" />
        <div class="pt-8">
          <Panel title={text.emojiNew}>
            <EmojiForm />
          </Panel>
        </div>
        <section aria-labelledby="list-title">
          <h2 id="list-title" class="mb-3">{text.emojiList}</h2>
          <EmojiList data={data} />
        </section>
      </>
    );
  },
});

function EmojiList({ data }: { data: EmojiData }) {
  const { text, t, messages, user } = useTexts(texts);
  const { emoji, isFirstPage } = data;
  if (emoji.length === 0 && data.search === "" && isFirstPage) {
    return <EmptyState title={text.emojiEmpty}>{text.emojiEmptyAdvice}</EmptyState>;
  }
  const search: Record<string, string> = data.search === "" ? {} : { q: data.search };
  const toPath = (query: Readonly<Record<string, string>>) =>
    `${LIST}?${new URLSearchParams({ ...search, ...query })}`;
  return (
    <>
      <FilterForm clearPath={data.search === "" ? null : LIST} button={messages.common.searchButton}>
        <FilterField name="q" label={text.emojiSearch} value={data.search} />
      </FilterForm>
      {emoji.length === 0 ? <EmptyState title={text.emojiNone} /> : (
        <Table
          caption={text.emojiList}
          items={emoji}
          columns={[
            {
              title: text.emojiName,
              cell: ({ id, name }) => (
                <span class="inline-flex min-w-0 items-center gap-3 align-middle">
                  <Picture url={emojiUrl(data.realmId, { id })} />
                  <bdi class="min-w-0 font-mono text-small break-all">:{name}:</bdi>
                </span>
              ),
            },
            {
              title: text.addedBy,
              cell: ({ author_id }) => {
                const author = data.names.get(author_id);
                return author === undefined ? text.formerUser : <bdi>{author}</bdi>;
              },
            },
          ]}
          actions={(one) =>
            isOwn(user, one) && (
              <ActionLink href={`${LIST}/${one.name}/deactivate`} about={`:${one.name}:`}>
                {text.deactivate}
              </ActionLink>
            )}
        />
      )}
      <Pagination
        label={text.emojiList}
        range={t(text.shown, { count: emoji.length })}
        previous={isFirstPage ? null : toPath({})}
        next={data.next === null ? null : toPath({ after: data.next })}
        isEmpty={isFirstPage && data.next === null}
      />
    </>
  );
}

/** Renders the image of an emoji; the alternative text is empty because its name is beside it. */
function Picture({ url }: { url: string }) {
  return (
    <img src={url} alt="" width={32} height={32} loading="lazy" class="size-8 flex-none object-contain" />
  );
}

/** The page that confirms deactivating an emoji. */
export const deactivateEmojiPage = confirmPage({
  path: `${LIST}/[name]/deactivate`,
  load: async ({ chat, realm, user, ctx }: AdminRequest) => {
    const found = await findRealmEmoji(chat, realm.id, ctx.params["name"] ?? "");
    return found !== null && isOwn(user, found) ? { name: found.name, url: emojiUrl(realm.id, found) } : null;
  },
  title: ({ name }, t) => t("Deactivate :{name}:?", { name }),
  above: [organizationPage, emojiPage],
  shows: EMOJI,
  action: "deactivate",
  button: "Deactivate emoji",
  view: ({ data: { url } }) => (
    <>
      <Picture url={url} />
      <p>{useTexts(texts).text.emojiDeactivateText}</p>
    </>
  ),
  run: async ({ chat, caller, t }, { name }) => {
    await deactivateEmoji(chat, caller, name);
    return { flash: t(texts.emojiDeactivated, { name }), to: LIST };
  },
});

/** Renders the form that uploads an emoji: name and image file. */
function EmojiForm() {
  const { text } = useTexts(texts);
  const state = useFormState(add);
  return (
    <form method="post" encType="multipart/form-data" noValidate class="grid grid-cols-1 gap-4" data-guard>
      <input type="hidden" name="action" value="add" />
      <FormProblem problem={state.problem("form")} />
      <div class="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
        <TextInput
          state={state}
          name="name"
          label={text.emojiName}
          hint={text.emojiNameHint}
          maxLength={MAX_EMOJI_NAME}
          isMono
        />
        <PictureField problem={state.problem("picture")} mib={MAX_PICTURE_BYTES / MIB} />
      </div>
      <div>
        <button type="submit" class={PRIMARY_BUTTON}>{text.emojiAdd}</button>
      </div>
    </form>
  );
}

function PictureField({ problem, mib }: { problem: string | undefined; mib: number }) {
  const { text, t } = useTexts(texts);
  const notes = { id: "picture", hint: t(text.pictureHint, { count: mib }), problem };
  return (
    <FieldFrame {...notes} label={text.picture}>
      <input
        {...getAriaAttributes(notes)}
        type="file"
        name="picture"
        accept="image/png,image/gif,image/jpeg,image/webp"
        autofocus={problem !== undefined}
        class={`${TEXT_FIELD} file:me-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-strong file:text-ink file:underline`}
      />
    </FieldFrame>
  );
}
