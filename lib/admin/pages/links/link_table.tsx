import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { LIST_ID, Table } from "@/components/admin/Table.tsx";
import type { Directory } from "@/lib/chat/organization/users/store.ts";
import type { LinkOrder } from "@/lib/links/search/link_query.ts";
import CopyLinks from "@/islands/admin/CopyLinks.tsx";
import { TEXT_FIELD, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { toPlainLink, toVisible } from "@/lib/ui/short_link.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { useSelection } from "./change_selected.tsx";
import { type ListQuery, toListPath } from "./list_query.ts";
import {
  LinkCreatorName,
  linkPath,
  nameOf,
  Noted,
  type ShownLink,
  StatusText,
  VisitCount,
} from "./shown_link.tsx";

interface LinkTableProps {
  readonly links: readonly ShownLink[];
  /** Users of the organization by id. */
  readonly users: Directory["byId"];
  readonly query: ListQuery;
}

/** Renders the list of links with the actions of each. */
export function LinkTable({ links, users, query }: LinkTableProps) {
  const { t, formatter } = useTexts(null);
  const { order } = query;
  const toSorted = (order: LinkOrder) => toListPath({ ...query, order, cursor: undefined });
  return (
    <>
      <CopyLinks done={t("Short link copied.")} />
      <Table
        caption={t("Short links")}
        items={links}
        isFaint={({ status }) => status !== "active"}
        selection={useSelection()}
        columns={[
          { title: t("Link"), cell: (link) => <LinkCell link={link} /> },
          { title: t("Status"), isShort: true, cell: (link) => <StatusText link={link} /> },
          {
            title: t("Visits"),
            isAtEnd: true,
            isShort: true,
            sortPath: toSorted("visits"),
            sorted: order === "visits" ? "descending" : undefined,
            cell: (link) => (
              <Noted note={link.last !== null && t("latest {date}", { date: formatter.date(link.last) })}>
                <VisitCount link={link} />
              </Noted>
            ),
          },
          {
            title: t("Created"),
            isShort: true,
            sortPath: toSorted(order === "newest" ? "oldest" : "newest"),
            sorted: order === "visits" ? undefined : order === "newest" ? "descending" : "ascending",
            cell: ({ createdAt, creator }) => (
              <Noted note={creator !== undefined && <LinkCreatorName creator={creator} users={users} />}>
                {formatter.date(createdAt)}
              </Noted>
            ),
          },
        ]}
        actions={(link, at) => <Actions link={link} at={at} />}
      />
    </>
  );
}

const SHOWN_CHARACTERS = 52;

function LinkCell({ link }: { link: ShownLink }) {
  return (
    <div class="grid min-w-0 gap-y-1">
      <Link class="link inline-flex min-h-6 items-center" href={linkPath(link.short)} title={link.url}>
        <bdi>
          <BreakableText text={nameOf(link)} />
        </bdi>
      </Link>
      {link.title !== undefined && (
        <bdi class="text-small text-soft">
          <BreakableText text={cutMiddle(toVisible(link.url), SHOWN_CHARACTERS)} />
        </bdi>
      )}
      {link.tags !== undefined && (
        <ul class="flex flex-wrap gap-x-3 text-small">
          {link.tags.map((tag) => (
            <li key={tag}>
              <Link
                class="inline-flex min-h-6 items-center text-soft hover:text-ink"
                href={`/admin/links?q=${encodeURIComponent(/\s/.test(tag) ? tag : `#${tag}`)}#${LIST_ID}`}
              >
                <bdi>#{tag}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Actions({ link, at }: { link: ShownLink; at: number }) {
  const { t } = useTexts(null);
  const { short, isDisabled } = link;
  const label = t(isDisabled ? "Enable" : "Disable");
  const name = nameOf(link);
  const plain = toPlainLink(link);
  const qr = `qr-${at}`;
  return (
    <>
      <input
        readOnly
        value={plain}
        aria-label={`${t("Short link to copy")}: ${name}`}
        class={`${TEXT_FIELD} max-w-44 not-noscript:hidden`}
      />
      <button
        type="button"
        data-copy={plain}
        aria-label={`${t("Copy")}: ${name}`}
        class={`${WORD_BUTTON} noscript:hidden`}
      >
        {t("Copy")}
      </button>
      <button type="button" popovertarget={qr} aria-label={`${t("QR code")}: ${name}`} class={WORD_BUTTON}>
        {t("QR code")}
      </button>
      <div id={qr} popover="auto" class="m-auto rounded-panel border border-edge bg-raised p-5">
        {/* The browser loads it once it is shown. */}
        <img
          loading="lazy"
          width="240"
          height="240"
          src={`${linkPath(short)}/qr`}
          alt={t("QR code of the short link")}
        />
      </div>
      <ActionButton action={isDisabled ? "enable" : "disable"} fields={{ short }} label={`${label}: ${name}`}>
        {label}
      </ActionButton>
      <ActionLink href={`${linkPath(short)}/delete`} about={name}>{t("Delete")}</ActionLink>
    </>
  );
}
