import { sortBy } from "es-toolkit/array/sortBy";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { EMOJI } from "@/lib/admin/events/shown_events.ts";
import { organizationPage } from "./organization.tsx";
import { ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FilterField, FilterForm } from "@/components/admin/FilterForm.tsx";
import { Pagination } from "@/components/admin/Pagination.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { OrganizationNav } from "@/components/admin/organization/OrganizationNav.tsx";
import {
  createEmoji,
  deactivateEmoji,
  listRealmEmoji,
  MAX_EMOJI_NAME,
} from "@/lib/chat/organization/emoji.ts";
import { isAdmin, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { picture, text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { readPeople } from "@/lib/admin/shown_people.ts";

const SHOWN = { one: "{count} emoji on this page", other: "{count} emoji on this page" };

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

const add = form({
  action: "add",
  button: "Add emoji",
  fields: {
    name: text({
      label: "Name",
      hint:
        "Lowercase English letters, digits, spaces, dashes, underscores and periods; a letter or digit at the end. Spaces become underscores: party parrot is typed as :party_parrot:.",
      max: MAX_EMOJI_NAME,
      isMono: true,
      isExact: true,
    }),
    picture: picture({ label: "Picture", hint: "PNG, GIF, JPEG or WebP. Square, up to {count} MiB." }),
  },
  parameters: { emoji_name: "name" },
  refusedAt: "picture",
  run: async ({ chat, caller, t }, { name, picture }) => {
    await createEmoji(chat, caller, { name, files: [picture] });
    return { flash: t("Emoji :{name}: added.", { name: name.replaceAll(" ", "_") }), to: LIST };
  },
});

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
  view: ({ data }) => {
    const { t } = useAdmin();
    return (
      <>
        <OrganizationNav here={LIST} />
        <div class="pt-8">
          <Panel title={t("Add emoji")}>
            <Form of={add}>
              {({ name, picture }) => (
                <div class="grid grid-cols-1 items-start gap-4 md:grid-cols-2">{name}{picture}</div>
              )}
            </Form>
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
  const { t, user } = useAdmin();
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
      <FilterForm clearPath={search === "" ? null : LIST} button={t("Search")}>
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
        range={t(SHOWN, { count: emoji.length })}
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
