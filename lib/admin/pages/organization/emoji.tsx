import { useFormState } from "@/components/admin/form_state.ts";
import { adminPage } from "../../declare/page.tsx";
import { confirmPage } from "../../declare/confirm.tsx";
import { EMOJI } from "../../events/shown_events.ts";
import { organizationPage } from "./organization.tsx";
import { FieldFrame, getAriaAttributes } from "@/components/admin/FieldFrame.tsx";
import { Link } from "@/components/Link.tsx";
import { ActionLink } from "@/components/admin/ActionButton.tsx";
import { DataTable } from "@/components/admin/DataTable.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { TextInput } from "@/components/admin/fields.tsx";
import { OrganizationNav } from "@/components/admin/organization/OrganizationNav.tsx";
import { createEmoji, deactivateEmoji } from "@/lib/chat/emoji/change_emoji.ts";
import { emojiKeys, emojiUrl, MAX_EMOJI_NAME, type RealmEmojiRecord } from "@/lib/chat/emoji/model.ts";
import { findRealmEmoji } from "@/lib/chat/emoji/store.ts";
import { MIB } from "@/lib/chat/files/model.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/pictures.ts";
import { isAdmin } from "@/lib/chat/users/model.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { toEntry } from "@/lib/store/key.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "../../admin_page.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { useTexts } from "../../declare/texts.ts";
import type { FormFields } from "../../form_fields.ts";

const texts = {
  title: "Organization",
  emoji: "Custom emoji",
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
  emojiSearch: "Search emoji",
  deactivate: "Deactivate",
  emojiDeactivateTitle: "Deactivate :{name}:?",
  emojiDeactivateText:
    "Nobody can use it any more. Existing messages still show it, and its name becomes available.",
  emojiDeactivateButton: "Deactivate emoji",
  emojiDeactivated: "Emoji :{name}: deactivated.",
};

type EmojiData = Awaited<ReturnType<typeof loadEmoji>>;
type ListedEmoji = EmojiData["emoji"][number];

const LIST = "/admin/organization/emoji";

async function loadEmoji(request: AdminRequest) {
  const { chat, realm, user, query } = request;
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
      isMine: isAdmin(user) || author_id === user.id,
    })),
    search,
    next,
    isFirstPage: after === "",
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
    const isEmpty = isEmptyList(data);
    return (
      <>
        <OrganizationNav here="emoji" />
        <div class="pt-8">
          <Panel title={text.emojiNew}>
            <EmojiForm />
          </Panel>
        </div>
        <section aria-labelledby="list-title">
          <div class="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
            <h2 id="list-title">{text.emojiList}</h2>
            {!isEmpty && <SearchForm search={data.search} />}
          </div>
          <EmojiList data={data} />
        </section>
      </>
    );
  },
});

/** Whether there are no emoji at all, regardless of the search. */
function isEmptyList({ emoji, search, isFirstPage }: EmojiData): boolean {
  return emoji.length === 0 && search === "" && isFirstPage;
}

function SearchForm({ search }: { search: string }) {
  const { text, messages } = useTexts(texts);
  return (
    <form role="search" class="flex flex-wrap gap-2">
      <input
        type="search"
        name="q"
        dir="auto"
        aria-label={text.emojiSearch}
        placeholder={text.emojiSearch}
        defaultValue={search}
        class={`${TEXT_FIELD} max-w-56 flex-1`}
      />
      <button type="submit" class={QUIET_BUTTON}>{messages.common.searchButton}</button>
    </form>
  );
}

function EmojiList({ data }: { data: EmojiData }) {
  const { text, messages } = useTexts(texts);
  if (isEmptyList(data)) return <EmptyState title={text.emojiEmpty}>{text.emojiEmptyAdvice}</EmptyState>;
  if (data.emoji.length === 0) {
    return (
      <EmptyState title={text.emojiNone}>
        <Link class="link" href={LIST}>{messages.common.clear}</Link>
      </EmptyState>
    );
  }
  const columns = [
    { title: text.emojiName },
    { title: text.addedBy },
    { title: messages.common.actions, isAtEnd: true, isClear: true, isWide: true },
  ];
  const rows = data.emoji.map((emoji) => ({
    id: emoji.id,
    cells: [
      <EmojiName key="name" emoji={emoji} />,
      emoji.author === null ? text.formerUser : <bdi key="author">{emoji.author}</bdi>,
      emoji.isMine && (
        <ActionLink key="actions" href={`${LIST}/${emoji.name}/deactivate`} about={`:${emoji.name}:`}>
          {text.deactivate}
        </ActionLink>
      ),
    ],
  }));
  return (
    <>
      <DataTable caption={text.emojiList} columns={columns} rows={rows} />
      <PageLinks data={data} />
    </>
  );
}

function PageLinks({ data }: { data: EmojiData }) {
  const { messages } = useAdmin();
  if (data.isFirstPage && data.next === null) return null;
  const query = data.search === "" ? "" : `&q=${encodeURIComponent(data.search)}`;
  return (
    <p class="flex gap-x-6 pt-3">
      {!data.isFirstPage && (
        <Link class="link" href={data.search === "" ? LIST : `?q=${encodeURIComponent(data.search)}`}>
          {messages.common.firstPage}
        </Link>
      )}
      {data.next !== null && (
        <Link class="link" href={`?after=${encodeURIComponent(data.next)}${query}`}>
          {messages.common.nextPage}
        </Link>
      )}
    </p>
  );
}

function EmojiName({ emoji }: { emoji: ListedEmoji }) {
  return (
    <span class="inline-flex min-w-0 items-center gap-3 align-middle">
      <Picture url={emoji.url} />
      <bdi class="min-w-0 font-mono text-small break-all">:{emoji.name}:</bdi>
    </span>
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
    const isMine = isAdmin(user) || found?.author_id === user.id;
    return found === null || !isMine ? null : { name: found.name, url: emojiUrl(realm.id, found) };
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
    <form method="post" encType="multipart/form-data" noValidate class="grid gap-4" data-guard>
      <input type="hidden" name="action" value="add" />
      <FormProblem problem={state.problem("form")} />
      <div class="grid items-start gap-4 md:grid-cols-2">
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
