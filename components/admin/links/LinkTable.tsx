import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinksData } from "@/lib/admin/links/links_page.ts";
import type { ShownLink } from "@/lib/admin/links/shown_link.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { toVisible } from "@/lib/ui/short_link.ts";
import { BreakableText } from "../../BreakableText.tsx";
import { Link } from "../../Link.tsx";
import { ActionButton, ActionLabel, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { type Column, DataTable } from "../DataTable.tsx";
import { formState } from "../form_state.ts";
import { BULK_FORM } from "./BulkForm.tsx";
import { LinkCreatorName } from "./LinkCreatorName.tsx";
import { StatusText } from "./StatusText.tsx";
import { TagList } from "./TagList.tsx";

const SHOWN_CHARACTERS = 52;

/** Renders the list of links with the actions of each. */
export function LinkTable({ data, refused }: AdminPageData<LinksData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  const bulk = formState(refused, "change_selected");
  const columns = useColumns(data);
  const rows = data.links.map((link) => ({
    id: encodeURIComponent(link.short),
    isFaint: link.status !== "active",
    cells: [
      <LinkCell key="link" link={link} isSelected={bulk.holds("short", link.short, [])} />,
      <StatusText key="status" link={link} />,
      link.maxVisits === null
        ? formatter.number(link.visits)
        : formatter.t(text.visitsOf, { count: link.visits, max: link.maxVisits }),
      <Created key="created" link={link} />,
      <Actions key="actions" link={link} />,
    ],
  }));
  return <DataTable caption={text.listTitle} columns={columns} rows={rows} />;
}

function useColumns({ query: { order }, paths }: LinksData): readonly Column[] {
  const { messages } = useAdmin();
  const text = messages.links;
  return [
    { title: text.link },
    { title: text.status, isShort: true },
    {
      title: text.visits,
      isAtEnd: true,
      isShort: true,
      sortPath: paths.byVisits,
      sorted: order === "visits" ? "descending" as const : undefined,
    },
    {
      title: text.created,
      isShort: true,
      sortPath: paths.byCreation,
      sorted: order === "visits"
        ? undefined
        : order === "newest"
        ? "descending" as const
        : "ascending" as const,
    },
    { title: messages.common.actions, isAtEnd: true, isClear: true, isWide: true },
  ];
}

function nameOf({ title, url }: ShownLink): string {
  return title === "" ? cutMiddle(toVisible(url), SHOWN_CHARACTERS) : title;
}

function LinkCell({ link, isSelected }: { link: ShownLink; isSelected: boolean }) {
  const { messages, formatter } = useAdmin();
  const name = nameOf(link);
  return (
    <div class="flex min-w-0 items-start gap-x-3">
      <input
        type="checkbox"
        name="short"
        value={link.short}
        form={BULK_FORM}
        defaultChecked={isSelected}
        aria-label={formatter.t(messages.links.selectLink, { name })}
        class="mt-0.5 size-5 flex-none accent-ink"
      />
      <div class="grid min-w-0 gap-y-1">
        <Link
          class="link inline-flex min-h-6 items-center"
          href={`/admin/links/${encodeURIComponent(link.short)}`}
          title={link.url}
        >
          <bdi>
            <BreakableText text={name} />
          </bdi>
        </Link>
        {link.title !== "" && (
          <bdi class="text-small text-soft">
            <BreakableText text={cutMiddle(toVisible(link.url), SHOWN_CHARACTERS)} />
          </bdi>
        )}
        <TagList tags={link.tags} />
      </div>
    </div>
  );
}

function Created({ link: { createdAt, creator } }: { link: ShownLink }) {
  const { formatter } = useAdmin();
  return (
    <span class="grid">
      {formatter.date(createdAt)}
      {creator !== null && (
        <span class="text-small text-soft">
          <LinkCreatorName creator={creator} />
        </span>
      )}
    </span>
  );
}

function Actions({ link }: { link: ShownLink }) {
  const { messages } = useAdmin();
  const text = messages.links;
  const { short, isDisabled } = link;
  const label = isDisabled ? text.enable : text.disable;
  const name = nameOf(link);
  return (
    <ActionLabel>
      <ActionButton action={isDisabled ? "enable" : "disable"} fields={{ short }} label={`${label}: ${name}`}>
        {label}
      </ActionButton>
      <ActionLink href={`/admin/links/${encodeURIComponent(short)}/delete`} about={name}>
        {text.remove}
      </ActionLink>
    </ActionLabel>
  );
}
