import type { AdminPageData, RefusedForm } from "@/lib/admin/admin_page.ts";
import type { EmojiData, ListedEmoji } from "@/lib/admin/organization/emoji_page.ts";
import { QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { Panel } from "../Panel.tsx";
import { EmojiForm } from "./EmojiForm.tsx";
import { OrganizationNav } from "./OrganizationNav.tsx";
import { Link } from "../../Link.tsx";

const EMOJI = "/admin/organization/emoji";

/** Renders the organization's custom emoji: upload form and list. */
export function EmojiPage({ data, refused }: AdminPageData<EmojiData>) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const isEmpty = isEmptyList(data);
  return (
    <>
      <AdminHeading
        title={text.emoji}
        lede={text.emojiLede}
        above={[{ path: "/admin/organization", name: text.title }]}
      />
      <OrganizationNav here="emoji" />
      <div class="pt-8">
        <Panel title={text.emojiNew}>
          <EmojiForm refused={refused} limits={data.limits} />
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
}

/** Whether there are no emoji at all, regardless of the search. */
function isEmptyList({ emoji, search, isFirstPage }: EmojiData): boolean {
  return emoji.length === 0 && search === "" && isFirstPage;
}

function SearchForm({ search }: { search: string }) {
  const { messages } = useAdmin();
  return (
    <form role="search" class="flex flex-wrap gap-2">
      <input
        type="search"
        name="q"
        dir="auto"
        aria-label={messages.organization.emojiSearch}
        placeholder={messages.organization.emojiSearch}
        defaultValue={search}
        class={`${TEXT_FIELD} max-w-56 flex-1`}
      />
      <button type="submit" class={QUIET_BUTTON}>{messages.common.searchButton}</button>
    </form>
  );
}

function EmojiList({ data }: { data: EmojiData }) {
  const { messages } = useAdmin();
  const text = messages.organization;
  if (isEmptyList(data)) return <EmptyState title={text.emojiEmpty}>{text.emojiEmptyAdvice}</EmptyState>;
  if (data.emoji.length === 0) {
    return (
      <EmptyState title={text.emojiNone}>
        <Link class="link" href={EMOJI}>{messages.common.clear}</Link>
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
      <ActionLink key="actions" href={`${EMOJI}/${emoji.name}/deactivate`} about={`:${emoji.name}:`}>
        {text.deactivate}
      </ActionLink>,
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
        <Link class="link" href={data.search === "" ? EMOJI : `?q=${encodeURIComponent(data.search)}`}>
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

interface DeactivateEmojiProps {
  readonly data: Pick<ListedEmoji, "name" | "url">;
  readonly refused: RefusedForm | null;
}

/** Renders the page that confirms deactivating an emoji. */
export function DeactivateEmojiPage({ data, refused }: DeactivateEmojiProps) {
  const { messages, formatter } = useAdmin();
  const text = messages.organization;
  return (
    <ConfirmPage
      title={formatter.t(text.emojiDeactivateTitle, { name: data.name })}
      above={[{ path: "/admin/organization", name: text.title }, { path: EMOJI, name: text.emoji }]}
      action="deactivate"
      button={text.emojiDeactivateButton}
      refused={refused}
    >
      <Picture url={data.url} />
      <p>{text.emojiDeactivateText}</p>
    </ConfirmPage>
  );
}
