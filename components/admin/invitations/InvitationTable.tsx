import Countdowns from "@/islands/admin/invitations/Countdowns.tsx";
import CopyLinks from "@/islands/admin/CopyLinks.tsx";
import {
  type InvitationList,
  type InvitationQuery,
  type InvitationSort,
  type ListedInvitation,
} from "@/lib/admin/invitations/invitation_list.ts";
import type { InvitationsData } from "@/lib/admin/invitations/invitations_data.ts";
import { QUIET_BUTTON, TEXT_FIELD, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { ActionButton, ActionLabel, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { type Column, DataTable, LIST_ID, type SortTitle } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { RelativeTime } from "./RelativeTime.tsx";
import { Link } from "../../Link.tsx";

const PATH = "/admin/invitations";
const BULK = "chosen-ones";
type TableProps = Pick<InvitationsData, "kind" | "list" | "now" | "hasMail">;

/** Renders the pending invitations: search, sorting, and controls that copy, resend and revoke. */
export function InvitationTable({ data }: { data: InvitationsData }) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const { list, kind, now, hasMail } = data;
  const isFiltered = list.query.find !== "" || list.query.isSoon;
  return (
    <section id={LIST_ID} aria-labelledby="list-title" class="scroll-mt-4">
      <div class="mb-3 flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="list-title">{text.listTitle}</h2>
        {list.found > 0 && (
          <p class="text-small text-soft tabular-nums">{formatter.t(text.found, { count: list.found })}</p>
        )}
      </div>
      {(list.found > 0 || isFiltered) && <FilterForm kind={kind} query={list.query} />}
      {list.found === 0
        ? (
          <EmptyState title={isFiltered ? text.emptyFound : text.empty}>
            {isFiltered ? text.emptyFoundAdvice : text.emptyAdvice}
          </EmptyState>
        )
        : <Rows list={list} kind={kind} now={now} hasMail={hasMail} />}
      <CopyLinks done={text.copied} />
      <Countdowns now={now} expired={text.expired} language={formatter.language} />
    </section>
  );
}

function FilterForm({ kind, query }: { kind: string; query: InvitationQuery }) {
  const { messages: { invitations: text } } = useAdmin();
  return (
    <form
      method="get"
      action={`#${LIST_ID}`}
      class="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-small"
    >
      {kind === "link" && <input type="hidden" name="kind" value="link" />}
      {query.sort !== null && <input type="hidden" name="sort" value={query.sort} />}
      {query.sort !== null && query.isDescending && <input type="hidden" name="order" value="desc" />}
      <label for="find" class="sr-only">{text.find}</label>
      <input
        id="find"
        name="find"
        type="search"
        dir="auto"
        placeholder={text.find}
        defaultValue={query.find}
        class={`${TEXT_FIELD} sm:max-w-72`}
      />
      <label class="flex min-h-11 items-center gap-2">
        <input
          type="checkbox"
          name="soon"
          value="1"
          defaultChecked={query.isSoon}
          class="size-5 accent-ink"
        />
        {text.soon}
      </label>
      <button type="submit" class={QUIET_BUTTON}>{text.show}</button>
      <ShowAll kind={kind} query={query} />
    </form>
  );
}

function ShowAll({ kind, query }: { kind: string; query: InvitationQuery }) {
  const { messages: { invitations: text } } = useAdmin();
  if (query.find === "" && !query.isSoon) return null;
  const path = toPath({ kind, query: { ...query, find: "", isSoon: false, page: 1 } });
  return <Link class={WORD_BUTTON} href={`${path}#${LIST_ID}`}>{text.showAll}</Link>;
}

function Rows({ list, kind, now, hasMail }: TableProps) {
  const { messages } = useAdmin();
  const columns = useColumns(list.query, kind);
  const rows = list.rows.map((row) => ({
    id: `${row.kind}-${row.id}`,
    cells: [
      <Invited key="invited" row={row} />,
      <Inviter key="by" row={row} now={now} />,
      messages.shell.roles[row.role],
      <RelativeTime key="expires" time={row.expiresAt} now={now} isEnd isSoon={row.isSoon} />,
      <RowActions key="actions" row={row} hasMail={hasMail} />,
    ],
  }));
  return (
    <>
      <DataTable
        caption={messages.invitations.listTitle}
        columns={columns}
        rows={rows}
        bodyId="invitations"
      />
      <form
        id={BULK}
        method="get"
        action={`${PATH}/revoke`}
        class="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2"
      >
        <button type="submit" class={QUIET_BUTTON}>{messages.invitations.revokeChosen}</button>
        {list.pages > 1 && <Pages list={list} kind={kind} />}
      </form>
    </>
  );
}

function useColumns(query: InvitationQuery, kind: string): readonly Column[] {
  const { messages } = useAdmin();
  const { columns: titles } = messages.invitations;
  const sorted = (sort: InvitationSort): SortTitle => ({
    title: titles[sort],
    sorted: query.sort !== sort ? undefined : query.isDescending ? "descending" : "ascending",
    sortPath: toPath({
      kind,
      query: { ...query, sort, isDescending: query.sort === sort && !query.isDescending, page: 1 },
    }),
  });
  return [
    sorted("invited"),
    { ...sorted("by"), second: sorted("created") },
    { ...sorted("role"), isShort: true, isClear: true },
    { ...sorted("expires"), isShort: true },
    { title: messages.common.actions, isAtEnd: true, isClear: true, isWide: true },
  ];
}

/** Renders who invited, and when. */
function Inviter({ row, now }: { row: ListedInvitation; now: number }) {
  return (
    <span>
      <bdi>{row.inviter}</bdi>{" "}
      <span class="text-small text-soft @min-[48rem]:block">
        <RelativeTime time={row.createdAt} now={now} />
      </span>
    </span>
  );
}

function Invited({ row }: { row: ListedInvitation }) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const name = useNameOf(row);
  const joined = row.joined === 0 ? text.nobodyJoined : formatter.t(text.joined, { count: row.joined });
  return (
    <div class="flex min-w-0 items-start gap-3 text-start">
      <input
        type="checkbox"
        form={BULK}
        name="chosen"
        value={`${row.kind}-${row.id}`}
        aria-label={formatter.t(text.select, { name })}
        disabled={!row.isManageable}
        class="mt-0.5 size-5 flex-none accent-ink"
      />
      <div class="min-w-36">
        {row.url === null
          ? <bdi class="font-strong break-all">{name}</bdi>
          : <Link class="link font-strong" href={`${PATH}/link/${row.id}`}>{name}</Link>}
        <p class="text-small break-words text-soft">
          <bdi>{row.channels}</bdi>
          {row.kind === "link" && ` · ${joined}`}
        </p>
      </div>
    </div>
  );
}

function useNameOf({ kind, id, email }: ListedInvitation): string {
  const { messages: { invitations: text }, formatter } = useAdmin();
  return kind === "email" ? email : formatter.t(text.linkNumbered, { id: String(id) });
}

function RowActions({ row, hasMail }: { row: ListedInvitation; hasMail: boolean }) {
  const { messages: { invitations: text } } = useAdmin();
  const name = useNameOf(row);
  const path = `${PATH}/${row.kind}/${row.id}`;
  if (!row.isManageable) {
    return <span class="text-small text-soft" title={text.ownersOnlyWhy}>{text.ownersOnly}</span>;
  }
  return (
    <ActionLabel>
      {row.url !== null && (
        <button
          type="button"
          data-copy={row.url}
          aria-label={`${text.copyLink}: ${name}`}
          class={`${WORD_BUTTON} min-h-8 noscript:hidden`}
        >
          {text.copyLink}
        </button>
      )}
      {row.url !== null && <ActionLink href={`${path}#qr`} about={name}>{text.qr}</ActionLink>}
      {row.kind === "email" && (
        <ActionButton action="show" to={`${path}/link`} fields={{}} label={`${text.copyLink}: ${name}`}>
          {text.copyLink}
        </ActionButton>
      )}
      {row.kind === "email" && hasMail && (
        <ActionLink href={`${path}/resend`} about={name}>{text.resend}</ActionLink>
      )}
      <ActionLink href={`${path}/revoke`} about={name}>{text.revoke}</ActionLink>
    </ActionLabel>
  );
}

function Pages({ list: { query, pages }, kind }: { list: InvitationList; kind: string }) {
  const { messages: { invitations: text, common }, formatter } = useAdmin();
  const at = (page: number) => `${toPath({ kind, query: { ...query, page } })}#${LIST_ID}`;
  return (
    <p class="flex flex-wrap items-center gap-x-5 text-small">
      {query.page > 1 && <Link class={WORD_BUTTON} href={at(query.page - 1)}>{text.previousPage}</Link>}
      <span class="text-soft tabular-nums">{formatter.t(text.page, { page: query.page, pages })}</span>
      {query.page < pages && <Link class={WORD_BUTTON} href={at(query.page + 1)}>{common.nextPage}</Link>}
    </p>
  );
}

/** Returns the address of the page for this part of the list. */
function toPath({ kind, query }: { kind: string; query: InvitationQuery }): string {
  const params = new URLSearchParams();
  if (kind === "link") params.set("kind", "link");
  if (query.find !== "") params.set("find", query.find);
  if (query.isSoon) params.set("soon", "1");
  if (query.sort !== null) params.set("sort", query.sort);
  if (query.sort !== null && query.isDescending) params.set("order", "desc");
  if (query.page > 1) params.set("page", String(query.page));
  return params.size === 0 ? PATH : `${PATH}?${params}`;
}
