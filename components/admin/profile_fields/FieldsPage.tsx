import SortableList from "@/islands/admin/SortableList.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { FieldsData, ListedField } from "@/lib/admin/profile_fields/profile_fields_page.ts";
import { FIELD_PROBLEM, PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import { ActionLabel, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { MoveButtons } from "../MoveButtons.tsx";
import { CARD_FULL_ID, CardSwitch } from "./CardSwitch.tsx";
import { typeName } from "./type_name.ts";
import { Link } from "../../Link.tsx";

const HERE = "/admin/profile-fields";

/** Renders the profile fields in order, with their fill rates and whether they are displayed on the card. */
export function FieldsPage({ data, refused }: AdminPageData<FieldsData>) {
  const { messages } = useAdmin();
  const text = messages.profileFields;
  const problem = refused?.problems["form"];
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={text.lede}
        actions={<Link class={`${PRIMARY_BUTTON} no-underline`} href={`${HERE}/new`}>{text.newField}</Link>}
      />
      {problem !== undefined && <p role="alert" class={`mb-4 ${FIELD_PROBLEM}`}>{problem}</p>}
      <section aria-label={text.listTitle}>
        {data.fields.length === 0
          ? (
            <EmptyState title={text.empty}>
              <p>{text.emptyAdvice}</p>
              <Link class="link mt-2 inline-flex min-h-9 items-center text-ink" href={`${HERE}/new`}>
                {text.first}
              </Link>
            </EmptyState>
          )
          : <FieldTable data={data} />}
      </section>
    </>
  );
}

function FieldTable({ data: { fields, fullCard } }: { data: FieldsData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const columns = [
    { title: text.field },
    { title: text.filledIn },
    { title: text.card },
    { title: messages.common.actions, isAtEnd: true, isClear: true, isWide: true },
  ];
  const rows = fields.map((field, at) => ({
    id: String(field.id),
    isMovable: fields.length > 1,
    cells: [
      <FieldName key="name" field={field} />,
      <FillRate key="rate" field={field} />,
      <CardSwitch key="card" field={field} isCardFull={fullCard !== null} />,
      <ActionLabel key="actions">
        <MoveButtons id={field.id} name={field.name} isFirst={at === 0} isLast={at === fields.length - 1} />
        <ActionLink href={`${HERE}/${field.id}`} about={field.name}>{messages.common.edit}</ActionLink>
        <ActionLink href={`${HERE}/${field.id}/delete`} about={field.name}>
          {messages.common.delete}
        </ActionLink>
      </ActionLabel>,
    ],
  }));
  return (
    <>
      {fullCard !== null && (
        <p id={CARD_FULL_ID} class="mb-2 text-small text-soft">
          {formatter.t(text.cardFull, { names: formatter.list(fullCard) })}
        </p>
      )}
      <DataTable caption={text.listTitle} columns={columns} rows={rows} bodyId="fields" />
      {fields.length > 1 && <SortableList bodyId="fields" failed={messages.common.failed} />}
    </>
  );
}

function FieldName({ field }: { field: ListedField }) {
  const { messages } = useAdmin();
  const { traits } = messages.profileFields;
  const summary = [
    typeName(messages, field.type),
    ...(field.isRequired ? [traits.required] : []),
    ...(field.isEditable ? [] : [traits.admins]),
    ...(field.isMatching ? [traits.matching] : []),
  ];
  return (
    <div class="min-w-0 max-w-[22rem] text-start">
      <Link class="link font-strong break-words" href={`${HERE}/${field.id}`}>
        <bdi>{field.name}</bdi>
      </Link>
      <p class="text-small text-soft">{summary.join(" · ")}</p>
      {field.hint !== "" && (
        <p class="text-small break-words text-soft">
          “<bdi>{field.hint}</bdi>”
        </p>
      )}
    </div>
  );
}

/** Renders the number of users who filled in a field, with a bar for their share. */
function FillRate({ field: { people, rate } }: { field: ListedField }) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  if (people === 0) return <span class="text-soft">{text.nobody}</span>;
  const percent = Math.max(1, Math.round(rate * 100));
  return (
    <div>
      <p>
        {formatter.t(text.people, { count: people })}{" "}
        <span class="text-small text-soft">{formatter.t(text.rate, { count: percent })}</span>
      </p>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 2"
        preserveAspectRatio="none"
        class="mt-1 h-0.5 w-full max-w-24 rtl:-scale-x-100"
      >
        <rect width="100" height="2" class="fill-rule" />
        <rect width={percent} height="2" class="fill-soft" />
      </svg>
    </div>
  );
}
