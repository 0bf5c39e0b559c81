import { ActionLink } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { MoveButtons } from "@/components/admin/MoveButtons.tsx";
import { Link } from "@/components/Link.tsx";
import SortableList from "@/islands/admin/SortableList.tsx";
import {
  countValues,
  reorderFields,
  updateField,
  type ValueCount,
} from "@/lib/chat/people/profile_fields/change_fields.ts";
import {
  getField,
  MAX_IN_SUMMARY,
  type ProfileFieldRecord,
} from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { readFields } from "@/lib/chat/people/profile_fields/store.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { FIELD_PROBLEM, PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { Messages } from "@/lib/ui/messages/catalogue.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { orderForms } from "@/lib/admin/declare/order.ts";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { FIELDS } from "@/lib/admin/events/shown_events.ts";
import { fitsOnCard } from "./field_data.ts";

const texts = {
  newField: "Add field",
  listTitle: "Fields",
  empty: "There are no profile fields yet.",
  emptyAdvice: "Use fields for details such as pronouns, phone numbers or office locations.",
  first: "Add the first field",
  field: "Field",
  filledIn: "Filled in",
  people: { one: "{count} user", other: "{count} users" },
  nobody: "Nobody yet",
  rate: "{count}%",
  card: "On the card",
  cardNever: "Too long for the card",
  cardOn: "Shown",
  cardOff: "Not shown",
  cardNoRoom: "Card is full",
  cardSwitch: "{state}: {name}",
  putOn: "{name} added to the card.",
  takenOff: "{name} removed from the card.",
  moved: "Field {name} moved.",
  traits: {
    required: "required",
    admins: "edited by administrators only",
    matching: "used for matching",
  },
};

/** Time for which counts are cached in large organizations, in milliseconds: counting lists all values. */
const KEPT_MS = 15_000;
/** Number of accounts up to which counting is fast. */
const FEW_ACCOUNTS = 1000;
/** Estimated memory of a field's count, in bytes. */
const FIELD_BYTES = 200;

/** Number of users, and of those with a value of each field by its id. */
interface FillCounts {
  /** Active users without bots. */
  readonly people: number;
  readonly byField: ReadonlyMap<number, ValueCount>;
}

/**
 * Counts how many users have filled in each field; in organizations of more than 1000 accounts up to 15
 * seconds old.
 */
export async function readFillCounts({ chat, realm }: AdminRequest): Promise<FillCounts> {
  const users = await listUsers(chat, realm.id);
  const people = users.filter(({ is_active, bot_type }) => is_active && bot_type === null).length;
  const count = async () => {
    const byField = await countValues(chat, realm.id);
    return { people, byField, size: FIELD_BYTES * byField.size };
  };
  if (users.length <= FEW_ACCOUNTS) return await count();
  const period = Math.floor(chat.clock.now() / KEPT_MS);
  return await chat.cache.get(`profile fill counts ${realm.id}`, [period], count);
}

/** Returns the name of a field type. */
export function typeName({ profileFields: text }: Messages, type: number): string {
  return new Map(Object.entries(text.types)).get(String(type))?.name ?? text.unknownType;
}

type FieldsData = Awaited<ReturnType<typeof loadFields>>;

async function loadFields(request: AdminRequest) {
  const fields = await readFields(request.chat, request.realm.id);
  return { fields, counts: fields.length === 0 ? null : await readFillCounts(request) };
}

const order = orderForms({
  list: async ({ chat, realm }) => await readFields(chat, realm.id),
  save: async ({ chat, caller }, ids) => await reorderFields(chat, caller, ids),
  done: ({ t }, { name }) => ({ flash: t(texts.moved, { name }) }),
});

const setOnCard = form({
  action: "card",
  run: async ({ chat, realm, caller, t }, _, submitted) => {
    const fieldId = submitted.int("id") ?? 0;
    const isWanted = submitted.text("on") === "true";
    const { name } = getField(await readFields(chat, realm.id), fieldId);
    await updateField(chat, caller, { fieldId, changes: { display_in_profile_summary: isWanted } });
    return { flash: t(isWanted ? texts.putOn : texts.takenOff, { name }) };
  },
});

const HERE = "/admin/profile-fields";

/** Renders the profile fields in order, with their fill rates and whether they are displayed on the card. */
export const fieldsPage = adminPage({
  path: HERE,
  load: loadFields,
  title: "Profile fields",
  lede: (_, __, { profileFields }) => profileFields.lede,
  actions: () => (
    <Link class={`${PRIMARY_BUTTON} no-underline`} href={`${HERE}/new`}>{useTexts(texts).text.newField}</Link>
  ),
  shows: FIELDS,
  forms: [...order, setOnCard],
  view: ({ data }) => {
    const { text } = useTexts(texts);
    const problem = useRefusedForm()?.problems["form"];
    return (
      <>
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
  },
});

function FieldTable({ data: { fields, counts } }: { data: FieldsData }) {
  const { text, t, messages, formatter } = useTexts(texts);
  const onCard = fields.filter((field) => field.display_in_profile_summary).map(({ name }) => name);
  const isCardFull = onCard.length >= MAX_IN_SUMMARY;
  return (
    <>
      {isCardFull && (
        <p id={CARD_FULL_ID} class="mb-2 text-small text-soft">
          {t(messages.profileFields.cardFull, { names: formatter.list(onCard) })}
        </p>
      )}
      <Table
        caption={text.listTitle}
        items={fields}
        isMovable={() => fields.length > 1}
        bodyId="fields"
        columns={[
          { title: text.field, cell: (field) => <FieldName field={field} /> },
          {
            title: text.filledIn,
            cell: ({ id }) => (
              <FillRate people={counts?.byField.get(id)?.people ?? 0} all={counts?.people ?? 0} />
            ),
          },
          { title: text.card, cell: (field) => <CardSwitch field={field} isCardFull={isCardFull} /> },
        ]}
        actions={({ id, name }, at) => (
          <>
            <MoveButtons id={id} name={name} isFirst={at === 0} isLast={at === fields.length - 1} />
            <ActionLink href={`${HERE}/${id}`} about={name}>{messages.common.edit}</ActionLink>
            <ActionLink href={`${HERE}/${id}/delete`} about={name}>{messages.common.delete}</ActionLink>
          </>
        )}
      />
      {fields.length > 1 && (
        <SortableList bodyId="fields" failed={messages.common.failed} undo={messages.common.undo} />
      )}
    </>
  );
}

function FieldName({ field }: { field: ProfileFieldRecord }) {
  const { text: { traits }, messages } = useTexts(texts);
  const summary = [
    typeName(messages, field.type),
    ...(field.required ? [traits.required] : []),
    ...(field.editable_by_user ? [] : [traits.admins]),
    ...(field.use_for_user_matching ? [traits.matching] : []),
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
function FillRate({ people, all }: { people: number; all: number }) {
  const { text, t } = useTexts(texts);
  if (people === 0) return <span class="text-soft">{text.nobody}</span>;
  // Deactivated accounts keep their values, so the count may exceed the number of active users.
  const rate = all === 0 ? 0 : Math.min(1, people / all);
  const percent = Math.max(1, Math.round(rate * 100));
  return (
    <div>
      <p>
        {t(text.people, { count: people })}{" "}
        <span class="text-small text-soft">{t(text.rate, { count: percent })}</span>
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

/** Id of the element that explains why no more fields fit on the card. */
const CARD_FULL_ID = "card-full";

/** Renders the switch that displays a field on the card, or the reason it is not available. */
function CardSwitch({ field, isCardFull }: { field: ProfileFieldRecord; isCardFull: boolean }) {
  const { text, t } = useTexts(texts);
  const { id, name, type, display_in_profile_summary: isOnCard } = field;
  if (!isOnCard && !fitsOnCard(type)) return <span class="text-small text-soft">{text.cardNever}</span>;
  const isFull = isCardFull && !isOnCard;
  const state = isOnCard ? text.cardOn : isFull ? text.cardNoRoom : text.cardOff;
  return (
    <form method="post" data-action="card">
      <input type="hidden" name="action" value="card" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="on" value={isOnCard ? "false" : "true"} />
      <button
        type="submit"
        role="switch"
        aria-checked={isOnCard}
        aria-label={t(text.cardSwitch, { state, name })}
        aria-describedby={isFull ? CARD_FULL_ID : undefined}
        disabled={isFull}
        class="inline-flex min-h-9 cursor-pointer items-center gap-2 text-small disabled:cursor-default disabled:text-soft"
      >
        <span
          aria-hidden="true"
          class={`inline-flex h-4.5 w-8 flex-none rounded-control border p-0.5 ${
            isOnCard ? "justify-end border-ink bg-ink" : "justify-start border-edge"
          } ${isFull ? "opacity-50" : ""}`}
        >
          <span
            class={`aspect-square h-full rounded-control forced-colors:border-4 ${
              isOnCard ? "bg-paper" : "bg-edge"
            }`}
          />
        </span>
        {state}
      </button>
    </form>
  );
}
