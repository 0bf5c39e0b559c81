import type { ListedLinkifier } from "@/lib/admin/linkifiers/linkifiers_page.ts";
import { ActionLabel, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { DataTable } from "../DataTable.tsx";
import { MoveButtons } from "../MoveButtons.tsx";
import { GeneratedLink } from "./LinkifierTester.tsx";
import { BreakableText } from "../../BreakableText.tsx";
import { Link } from "../../Link.tsx";

interface LinkifierTableProps {
  readonly linkifiers: readonly ListedLinkifier[];
  /** Id of the rows' parent element. */
  readonly bodyId: string;
  /** Whether the list is complete and can be reordered. */
  readonly canMove: boolean;
}

/** Renders linkifiers in order: pattern, example with its result, and actions. */
export function LinkifierTable({ linkifiers, bodyId, canMove }: LinkifierTableProps) {
  const { messages } = useAdmin();
  const text = messages.linkifiers;
  const columns = [
    { title: text.linkifier },
    { title: text.example },
    { title: messages.common.actions, isAtEnd: true, isClear: true, isWide: true },
  ];
  const rows = linkifiers.map((linkifier, at) => ({
    id: String(linkifier.id),
    isMovable: canMove,
    cells: [
      <Made key="made" linkifier={linkifier} />,
      <Example key="example" linkifier={linkifier} />,
      <div key="actions" class="min-[68rem]:min-w-[260px]">
        <ActionLabel>
          {canMove && (
            <MoveButtons
              id={linkifier.id}
              name={linkifier.pattern}
              isFirst={at === 0}
              isLast={at === linkifiers.length - 1}
            />
          )}
          <ActionLink href={`/admin/linkifiers/${linkifier.id}`} about={linkifier.pattern}>
            {messages.common.edit}
          </ActionLink>
          <ActionLink href={`/admin/linkifiers/${linkifier.id}/delete`} about={linkifier.pattern}>
            {messages.common.delete}
          </ActionLink>
        </ActionLabel>
      </div>,
    ],
  }));
  return <DataTable caption={text.listTitle} columns={columns} rows={rows} bodyId={bodyId} />;
}

function Made({ linkifier: { id, pattern, urlTemplate } }: { linkifier: ListedLinkifier }) {
  return (
    <div class="grid min-w-0 gap-0.5 font-mono text-small [font-variant-ligatures:none]">
      <Link class="link justify-self-start break-all" href={`/admin/linkifiers/${id}`}>
        <bdi>{pattern}</bdi>
      </Link>
      <bdi class="wrap-anywhere text-soft">
        <BreakableText text={urlTemplate} />
      </bdi>
    </div>
  );
}

function Example({ linkifier: { id, example, notes } }: { linkifier: ListedLinkifier }) {
  const { linkifiers: text } = useAdmin().messages;
  if (example === null) return <span class="text-small text-soft">{text.noExample}</span>;
  const { text: written, url, isUntried } = example;
  return (
    <div class="min-w-0 flex-1 basis-48 text-small">
      <p dir="auto" class="line-clamp-2 break-words">
        {url === null ? written : <GeneratedLink url={url}>{written}</GeneratedLink>}
      </p>
      {url !== null && (
        <p class="line-clamp-2 font-mono text-tiny wrap-anywhere text-soft [font-variant-ligatures:none]">
          <bdi>
            <BreakableText text={url} />
          </bdi>
        </p>
      )}
      {url === null && <p class="text-soft">{isUntried ? text.untried : text.noLink}</p>}
      <div class="break-words text-soft" data-notes={id}>
        {notes.map((note) => <p key={note}>{note}</p>)}
      </div>
    </div>
  );
}
