import type { AppError } from "@/lib/core/errors.ts";
import { sortBy } from "es-toolkit/array/sortBy";
import { useAdmin } from "@/components/admin/admin_view.ts";
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
  listRealmEmoji,
  MAX_EMOJI_NAME,
} from "@/lib/chat/organization/emoji.ts";
import { MIB } from "@/lib/chat/organization/files/model.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/organization/pictures.ts";
import { isAdmin, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { PRIMARY_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { Table } from "@/components/admin/Table.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { readPeople } from "@/lib/admin/shown_people.ts";

const texts = {
  nameHint:
    "Lowercase English letters, digits, spaces, dashes, underscores and periods; a letter or digit at the end. Spaces become underscores: party parrot is typed as :party_parrot:.",
  shown: { one: "{count} emoji on this page", other: "{count} emoji on this page" },
};

type EmojiData = Awaited<ReturnType<typeof loadEmoji>>;
type Emoji = EmojiData["emoji"][number];

const LIST = "/admin/organization/emoji";
const PAGE_SIZE = 100;

/** Lists the active emoji by name. */
async function listActive({ chat, realm }: AdminRequest) {
  const all = Object.values(await listRealmEmoji(chat, realm.id));
  return sortBy(all.filter(({ deactivated }) => !deactivated), ["name"]);
}

/** Loads the page of the emoji whose names contain the search, after the one that the query names. */
async function loadEmoji(request: AdminRequest) {
  const search = (request.query.get("q") ?? "").trim().slice(0, MAX_EMOJI_NAME);
  const after = request.query.get("after") ?? "";
  const wanted = search.toLowerCase().replaceAll(":", "").replaceAll(" ", "_");
  const found = (await listActive(request)).filter(({ name }) => name.includes(wanted) && name > after);
  const emoji = found.slice(0, PAGE_SIZE);
  const authors = await readPeople(request, [...new Set(emoji.map(({ author_id }) => author_id))]);
  return {
    emoji,
    search,
    authors: new Map(authors.map(({ id, full_name }) => [id, full_name])),
    isFirstPage: after === "",
    next: found.length > PAGE_SIZE ? emoji.at(-1)?.name ?? null : null,
  };
}

/** Whether a user may deactivate an emoji. */
function isOwn(user: UserRecord, { author_id }: Emoji): boolean {
  return isAdmin(user) || author_id === user.id;
}

const add = {
  action: "add",
  fieldOf: ({ field }: AppError) => field === "emoji_name" ? "name" : "picture",
  run: async ({ chat, caller, t }: AdminRequest, fields: FormFields) => {
    // A form without a chosen file sends an empty one.
    const files = fields.files.filter(({ length }) => length > 0);
    if (files.length === 0) throw new FormRefusal({ picture: t("Choose a picture.") });
    const name = fields.exact("name");
    await createEmoji(chat, caller, { name, files });
    return { flash: t("Emoji :{name}: added.", { name: name.trim().replaceAll(" ", "_") }), to: LIST };
  },
};

/** The page of the organization's custom emoji: upload form and list. */
export const emojiPage = adminPage({
  path: LIST,
  load: loadEmoji,
  title: "Custom emoji",
  find: { words: "reactions pictures" },
  lede: "Custom emoji are available to all users in messages and reactions.",
  above: [organizationPage],
  shows: EMOJI,
  forms: [add],
  files: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE, action: add.action },
  view: ({ data }) => {
    const { t } = useAdmin();
    return (
      <>
        <OrganizationNav here="emoji" />
        <div class="pt-8">
          <Panel title={t("Add emoji")}>
            <EmojiForm />
          </Panel>
        </div>
        <section aria-labelledby="list-title">
          <h2 id="list-title" class="mb-3">{t("Emoji")}</h2>
          <EmojiList data={data} />
        </section>
      </>
    );
  },
});

function EmojiList({ data }: { data: EmojiData }) {
  const { t, messages, user } = useAdmin();
  const { emoji, isFirstPage, search } = data;
  if (emoji.length === 0 && search === "" && isFirstPage) {
    return (
      <EmptyState title={t("There are no custom emoji yet.")}>
        {t("Pictures of 64 by 64 pixels work best. Add the first one above.")}
      </EmptyState>
    );
  }
  const toPath = (query: Readonly<Record<string, string>>) =>
    `${LIST}?${new URLSearchParams({ ...(search && { q: search }), ...query })}`;
  return (
    <>
      <FilterForm clearPath={search === "" ? null : LIST} button={messages.common.searchButton}>
        <FilterField name="q" label={t("Search emoji")} value={search} />
      </FilterForm>
      {emoji.length === 0 ? <EmptyState title={t("No matching emoji.")} /> : (
        <Table
          caption={t("Emoji")}
          items={emoji}
          columns={[
            {
              title: t("Name"),
              cell: ({ name, source_url }) => (
                <span class="inline-flex min-w-0 items-center gap-3 align-middle">
                  <Picture url={source_url} />
                  <bdi class="min-w-0 font-mono text-small break-all">:{name}:</bdi>
                </span>
              ),
            },
            {
              title: t("Added by"),
              cell: ({ author_id }) => {
                const author = data.authors.get(author_id);
                return author === undefined ? t("Former user") : <bdi>{author}</bdi>;
              },
            },
          ]}
          actions={(one) =>
            isOwn(user, one) && (
              <ActionLink href={`${LIST}/${one.name}/deactivate`} about={`:${one.name}:`}>
                {t("Deactivate")}
              </ActionLink>
            )}
        />
      )}
      <Pagination
        label={t("Emoji")}
        range={t(texts.shown, { count: emoji.length })}
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
  load: async (request: AdminRequest) => {
    const found = (await listActive(request)).find(({ name }) => name === request.ctx.params["name"]);
    return found !== undefined && isOwn(request.user, found) ? found : null;
  },
  title: ({ name }, t) => t("Deactivate :{name}:?", { name }),
  above: [organizationPage, emojiPage],
  shows: EMOJI,
  action: "deactivate",
  button: "Deactivate emoji",
  view: ({ data }) => (
    <>
      <Picture url={data.source_url} />
      <p>
        {useAdmin().t(
          "Nobody can use it anymore. Existing messages still show it, and its name becomes available.",
        )}
      </p>
    </>
  ),
  run: async ({ chat, caller, t }, { name }) => {
    await deactivateEmoji(chat, caller, name);
    return { flash: t("Emoji :{name}: deactivated.", { name }), to: LIST };
  },
});

/** Renders the form that uploads an emoji: name and image file. */
function EmojiForm() {
  const { text, t } = useTexts(texts);
  const state = useFormState(add);
  const hint = t("PNG, GIF, JPEG or WebP. Square, up to {count} MiB.", { count: MAX_PICTURE_BYTES / MIB });
  const picture = { id: "picture", hint, problem: state.problem("picture") };
  return (
    <form method="post" encType="multipart/form-data" noValidate class="grid grid-cols-1 gap-4" data-guard>
      <input type="hidden" name="action" value="add" />
      <FormProblem problem={state.problem("form")} />
      <div class="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
        <TextInput
          state={state}
          name="name"
          label={t("Name")}
          hint={text.nameHint}
          maxLength={MAX_EMOJI_NAME}
          isMono
        />
        <FieldFrame {...picture} label={t("Picture")}>
          <input
            {...getAriaAttributes(picture)}
            type="file"
            name="picture"
            accept="image/png,image/gif,image/jpeg,image/webp"
            autofocus={picture.problem !== undefined}
            class={`${TEXT_FIELD} file:me-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-strong file:text-ink file:underline`}
          />
        </FieldFrame>
      </div>
      <div>
        <button type="submit" class={PRIMARY_BUTTON}>{t("Add emoji")}</button>
      </div>
    </form>
  );
}
