import { FAILED } from "@/lib/ui/texts.ts";
import { ActionLink } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { MoveButtons } from "@/components/admin/MoveButtons.tsx";
import { Link } from "@/components/Link.tsx";
import SortableList from "@/islands/admin/SortableList.tsx";
import { countValues, reorderFields, updateField } from "@/lib/chat/people/profile_fields/change_fields.ts";
import { getField, type ProfileFieldRecord } from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { isBot } from "@/lib/chat/organization/users/model.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { readFields } from "@/lib/chat/people/profile_fields/store.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { orderForms } from "@/lib/admin/declare/order.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { FIELDS } from "@/lib/admin/events/shown_events.ts";
import { useFullCard } from "./field_card.tsx";
import { fitsOnCard, TYPES } from "./field_data.ts";

const PEOPLE = { one: "{count} user", other: "{count} users" };

type FieldsData = Awaited<ReturnType<typeof loadFields>>;

async function loadFields({ chat, realm }: AdminRequest) {
  const users = await listUsers(chat, realm.id);
  return {
    fields: await readFields(chat, realm.id),
    /** Active users without bots. */
    people: users.filter((user) => user.is_active && !isBot(user)).length,
    counts: await countValues(chat, realm.id),
  };
}

const order = orderForms({
  list: async ({ chat, realm }) => await readFields(chat, realm.id),
  save: async ({ chat, caller }, ids) => await reorderFields(chat, caller, ids),
  done: ({ t }, { name }) => ({ flash: t("Field {name} moved.", { name }) }),
});

const setOnCard = form({
  action: "card",
  run: async ({ chat, realm, caller, t }, _, submitted) => {
    const fieldId = submitted.int("id") ?? 0;
    const isWanted = submitted.text("on") === "true";
    const { name } = getField(await readFields(chat, realm.id), fieldId);
    await updateField(chat, caller, { fieldId, changes: { display_in_profile_summary: isWanted } });
    return { flash: t(isWanted ? "{name} added to the card." : "{name} removed from the card.", { name }) };
  },
});

const HERE = "/admin/profile-fields";

/** Renders the profile fields in order, with their fill rates and whether they are displayed on the card. */
export const fieldsPage = adminPage({
  path: HERE,
  find: { words: "custom pronouns" },
  load: loadFields,
  title: "Profile fields",
  lede: "Choose what users can add to their profiles. All users see the fields in this order.",
  actions: () => (
    <Link class={`${PRIMARY_BUTTON} no-underline`} href={`${HERE}/new`}>{useAdmin().t("Add field")}</Link>
  ),
  shows: FIELDS,
  forms: [...order, setOnCard],
  view: ({ data }) => {
    const { t } = useAdmin();
    return (
      <>
        <FormProblem problem={useRefusedForm()?.problems["form"]} margin="mb-4" />
        <section aria-label={t("Fields")}>
          {data.fields.length === 0
            ? (
              <EmptyState title={t("There are no profile fields yet.")}>
                <p>{t("Use fields for details such as pronouns, phone numbers or office locations.")}</p>
                <Link class="link mt-2 inline-flex min-h-9 items-center text-ink" href={`${HERE}/new`}>
                  {t("Add the first field")}
                </Link>
              </EmptyState>
            )
            : <FieldTable data={data} />}
        </section>
      </>
    );
  },
});

function FieldTable({ data: { fields, people, counts } }: { data: FieldsData }) {
  const { t } = useAdmin();
  const full = useFullCard(fields);
  return (
    <>
      {full !== null && <p id={CARD_FULL_ID} class="mb-2 text-small text-soft">{full}</p>}
      <Table
        caption={t("Fields")}
        items={fields}
        isMovable={() => fields.length > 1}
        bodyId="fields"
        columns={[
          { title: t("Field"), cell: (field) => <FieldName field={field} /> },
          {
            title: t("Filled in"),
            cell: ({ id }) => <FillRate people={counts.get(id)?.people ?? 0} all={people} />,
          },
          {
            title: t("On the card"),
            cell: (field) => <CardSwitch field={field} isCardFull={full !== null} />,
          },
        ]}
        actions={({ id, name }, at) => (
          <>
            <MoveButtons id={id} name={name} isFirst={at === 0} isLast={at === fields.length - 1} />
            <ActionLink href={`${HERE}/${id}`} about={name}>{t("Edit")}</ActionLink>
            <ActionLink href={`${HERE}/${id}/delete`} about={name}>{t("Delete")}</ActionLink>
          </>
        )}
      />
      {fields.length > 1 && <SortableList bodyId="fields" failed={t(FAILED)} undo={t("Undo")} />}
    </>
  );
}

function FieldName({ field }: { field: ProfileFieldRecord }) {
  const { t } = useAdmin();
  const summary = [
    TYPES[field.type].name,
    ...(field.required ? ["required"] : []),
    ...(field.editable_by_user ? [] : ["edited by administrators only"]),
    ...(field.use_for_user_matching ? ["used for matching"] : []),
  ];
  return (
    <div class="min-w-0 max-w-[22rem] text-start">
      <Link class="link font-strong break-words" href={`${HERE}/${field.id}`}>
        <bdi>{field.name}</bdi>
      </Link>
      <p class="text-small text-soft">{summary.map((trait) => t(trait)).join(" · ")}</p>
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
  const { t } = useAdmin();
  if (people === 0) return <span class="text-soft">{t("Nobody yet")}</span>;
  // Deactivated accounts keep their values, so the count may exceed the number of active users.
  const rate = all === 0 ? 0 : Math.min(1, people / all);
  const percent = Math.max(1, Math.round(rate * 100));
  return (
    <div>
      <p>
        {t(PEOPLE, { count: people })}{" "}
        <span class="text-small text-soft">{t("{count}%", { count: percent })}</span>
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
  const { t } = useAdmin();
  const { id, name, type, display_in_profile_summary: isOnCard } = field;
  if (!isOnCard && !fitsOnCard(type)) {
    return <span class="text-small text-soft">{t("Too long for the card")}</span>;
  }
  const isFull = isCardFull && !isOnCard;
  const state = t(isOnCard ? "Shown" : isFull ? "Card is full" : "Not shown");
  return (
    <form method="post" data-action="card">
      <input type="hidden" name="action" value="card" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="on" value={isOnCard ? "false" : "true"} />
      <button
        type="submit"
        role="switch"
        aria-checked={isOnCard}
        aria-label={`${state}: ${name}`}
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
