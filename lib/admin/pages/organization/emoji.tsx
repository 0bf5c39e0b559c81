import { sortBy } from "es-toolkit/array/sortBy";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { EMOJI } from "@/lib/admin/events/shown_events.ts";
import { organizationPage } from "./organization.tsx";
import { ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { OrganizationNav } from "@/components/admin/organization/OrganizationNav.tsx";
import {
  createEmoji,
  deactivateEmoji,
  listRealmEmoji,
  MAX_EMOJI_NAME,
} from "@/lib/chat/organization/emoji.ts";
import { isAdmin, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { picture, text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { FilteredList, readListView, toListPage } from "@/lib/admin/declare/list.tsx";

const PATH = "/admin/organization/emoji";
const LIST = {
  path: PATH,
  title: "Emoji",
  searchLabel: "Search emoji",
  filters: {},
  range: { one: "{from} of {count} emoji", other: "{from}–{to} of {count} emoji" },
  nothing: {
    title: "No matching emoji.",
    advice: "Enter a part of the name.",
    link: "Show all emoji",
    to: PATH,
  },
};

type EmojiData = Awaited<ReturnType<typeof loadEmoji>>;
type Emoji = EmojiData["page"]["items"][number];

/** Lists the active emoji by name. */
async function listActive({ chat, realm }: AdminRequest) {
  const all = Object.values(await listRealmEmoji(chat, realm.id));
  return sortBy(all.filter(({ deactivated }) => !deactivated), ["name"]);
}

async function loadEmoji(request: AdminRequest) {
  const { chat, realm, query } = request;
  const view = readListView(LIST, query);
  const wanted = view.search.trim().toLowerCase().replaceAll(":", "").replaceAll(" ", "_");
  const active = await listActive(request);
  const { byId } = await readDirectory(chat, realm.id);
  return {
    page: toListPage(view, active.filter(({ name }) => name.includes(wanted))),
    isEmpty: active.length === 0,
    users: byId,
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
    return { flash: t("Emoji :{name}: added.", { name: name.replaceAll(" ", "_") }), to: PATH };
  },
});

/** The page of the organization's custom emoji: upload form and list. */
export const emojiPage = adminPage({
  path: PATH,
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
        <OrganizationNav here={PATH} />
        <div class="pt-8">
          <Panel title={t("Add emoji")}>
            <Form of={add}>
              {({ name, picture }) => (
                <div class="grid grid-cols-1 items-start gap-4 md:grid-cols-2">{name}{picture}</div>
              )}
            </Form>
          </Panel>
        </div>
        <h2 class="mb-3">{t("Emoji")}</h2>
        <EmojiList data={data} />
      </>
    );
  },
});

function EmojiList({ data: { page, isEmpty, users } }: { data: EmojiData }) {
  const { t, user } = useAdmin();
  if (isEmpty) {
    return (
      <EmptyState title={t("There are no custom emoji yet.")}>
        {t("Pictures of 64 by 64 pixels work best. Add the first one above.")}
      </EmptyState>
    );
  }
  return (
    <FilteredList
      of={LIST}
      page={page}
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
          cell: ({ author_id }) => <bdi>{users.get(author_id)?.full_name ?? t("Former user")}</bdi>,
        },
      ]}
      actions={(one) =>
        isOwn(user, one) && (
          <ActionLink href={`${PATH}/${one.name}/deactivate`} about={`:${one.name}:`}>
            {t("Deactivate")}
          </ActionLink>
        )}
    />
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
  path: `${PATH}/[name]/deactivate`,
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
    return { flash: t("Emoji :{name}: deactivated.", { name }), to: PATH };
  },
});
