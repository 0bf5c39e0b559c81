import { partition } from "es-toolkit/array/partition";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { LIST_ID } from "@/components/admin/Table.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { Pagination } from "@/components/admin/Pagination.tsx";
import { PEOPLE_HINT, PeopleField } from "@/components/admin/people/PeopleField.tsx";
import { ImpactSection } from "@/components/admin/permissions/ImpactSection.tsx";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import { listGroupMembers } from "@/lib/chat/organization/user_groups/store.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { linesOf } from "@/lib/ui/permission_fields.ts";
import { type Done, FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { form } from "../declare/form.tsx";
import type { FormFields } from "../form_fields.ts";
import { findGroups, findPeople, readPeopleInput } from "../people/find_people.ts";
import { readPeople } from "../shown_people.ts";

const texts = {
  removed: { one: "{count} person removed from {name}.", other: "{count} people removed from {name}." },
  outside: "{name} is not a direct member of this group.",
  groupsHint:
    "One on each line: a name, an email address or a user ID. For all members of a group, enter @ and its name.",
};

/** Name of the checkboxes that select members. */
const SELECTED = "member";
/** Name of the field for members that other pages of the list have. */
const OTHERS = "others";

/**
 * Texts: `range` of a list with several pages; `empty` for no members; `add` and `remove` on the buttons; `added` is the
 * outcome for `{count}` people and the record's `{name}`; the others are problems of a form that names nobody, adds
 * members only, or selects nobody.
 */
type MemberTexts = Readonly<
  Record<
    "title" | "range" | "empty" | "add" | "remove" | "added" | "nobodyNamed" | "nobodyNew" | "nobodySelected",
    Phrase
  >
>;

/** Specification of the members of a record, and of the forms of its page that add and remove them. */
interface MembersSpec {
  /** Name of the field for those who are added, and end of the forms' names. */
  readonly noun: string;
  readonly texts: MemberTexts;
  /** Whether the fields also take groups, as `@name`, for all of their members. */
  readonly takesGroups: boolean;
  /** Whether the effect of the forms on permissions can be previewed. */
  readonly hasImpact: boolean;
  /** Reads the record in the path: its name, and the ids of its members. */
  readonly read: (request: AdminRequest) => Promise<{ name: string; members: readonly number[] }>;
  /** Adds or removes members; returns what differs from the usual outcome. */
  readonly change: (
    request: AdminRequest,
    change: { readonly kind: "add" | "remove"; readonly ids: readonly number[]; readonly name: string },
  ) => Promise<Partial<Done> | void>;
}

/** Members of a record, with the forms that add and remove them. */
type Members = ReturnType<typeof declareMembers>;

/** Declares the members of a record, which `MemberSection` renders. */
export function declareMembers(spec: MembersSpec) {
  return { ...spec, add: memberForm(spec, "add"), remove: memberForm(spec, "remove") };
}

function memberForm(spec: MembersSpec, kind: "add" | "remove") {
  const { noun } = spec;
  const readIds = kind === "add" ? readAdded : readRemoved;
  const declared = form({
    action: `${kind}_${noun}`,
    run: async (request, _, submitted) => {
      const { t, ctx: { url } } = request;
      const { name, members } = await spec.read(request);
      const ids = await readIds(spec, request, submitted, members);
      return {
        flash: t(kind === "add" ? spec.texts.added : texts.removed, { count: ids.length, name }),
        // The next people can be entered at once.
        to: `${url.pathname}${url.search}#${noun}`,
        ...await spec.change(request, { kind, ids, name }),
      };
    },
  });
  return { ...declared, readIds: readIds.bind(null, spec) };
}

/**
 * Returns the ids of the people whom a form adds to the members.
 * @throws FormRefusal.
 */
async function readAdded(
  spec: MembersSpec,
  request: AdminRequest,
  submitted: FormFields,
  members: readonly number[],
): Promise<readonly number[]> {
  const { noun, texts: { nobodyNamed, nobodyNew } } = spec;
  const named = await readNamed(spec, request, submitted, noun);
  const inside = new Set(members);
  const ids = named.map(({ id }) => id).filter((id) => !inside.has(id));
  if (ids.length > 0) return ids;
  throw new FormRefusal({ [noun]: request.t(named.length === 0 ? nobodyNamed : nobodyNew) });
}

/**
 * Returns the ids of the members whom a form selects or names.
 * @throws FormRefusal.
 */
async function readRemoved(
  spec: MembersSpec,
  request: AdminRequest,
  submitted: FormFields,
  members: readonly number[],
): Promise<readonly number[]> {
  const { t } = request;
  const named = await readNamed(spec, request, submitted, OTHERS);
  const inside = new Set(members);
  const stranger = named.find(({ id }) => !inside.has(id));
  // A named group may have other members.
  if (stranger !== undefined && !spec.takesGroups) {
    throw new FormRefusal({ [OTHERS]: t(texts.outside, { name: stranger.full_name }) });
  }
  // A member whom another administrator removed meanwhile needs no removal.
  const asked = new Set([...submitted.ints(SELECTED), ...named.map(({ id }) => id)]);
  const ids = [...asked].filter((id) => inside.has(id));
  if (ids.length === 0) throw new FormRefusal({ form: t(spec.texts.nobodySelected) });
  return ids;
}

/** Returns the people that a field names, and the members of its groups. */
async function readNamed(
  { takesGroups }: MembersSpec,
  request: AdminRequest,
  submitted: FormFields,
  field: string,
): Promise<readonly UserRecord[]> {
  const { chat, realm } = request;
  const input = readPeopleInput(submitted, field);
  if (!takesGroups) return await findPeople(request, input, field);
  const [groups, people] = partition(linesOf(input.text), (line) => line.startsWith("@"));
  const groupIds = await findGroups(request, groups, field);
  const named = await findPeople(request, { ...input, text: people.join("\n") }, field);
  const found = new Map(named.map((user) => [user.id, user]));
  for (const groupId of groupIds) {
    await yieldToEventLoop();
    const members = await listGroupMembers(chat, realm, { groupId, isDirectOnly: false });
    for (const user of members) found.set(user.id, user);
  }
  return [...found.values()];
}

const PAGE_SIZE = 100;

/** Reads the page of members that the URL asks for with `members`; they are sorted by name within the page. */
export async function readMemberPage(request: AdminRequest, ids: readonly number[]) {
  const asked = request.query.get("members") ?? "";
  const last = Math.max(1, Math.ceil(ids.length / PAGE_SIZE));
  const page = /^[1-9]\d{0,6}$/.test(asked) ? Math.min(Number(asked), last) : 1;
  const from = (page - 1) * PAGE_SIZE;
  const people = await readPeople(request, ids.slice(from, from + PAGE_SIZE));
  return { people, page, last, from, count: ids.length, path: request.ctx.url.pathname };
}

interface MemberSectionProps {
  readonly of: Members;
  readonly shown: Awaited<ReturnType<typeof readMemberPage>>;
  readonly mayAdd: boolean;
  readonly mayRemove: boolean;
}

/** Renders people with checkboxes and the form that removes those selected, and the form that adds others. */
export function MemberSection({ of, shown, mayAdd, mayRemove }: MemberSectionProps) {
  const { t } = useAdmin();
  const { takesGroups, hasImpact } = of;
  const { people, page, last, from, count, path } = shown;
  const [adding, removing] = [useFormState(of.add), useFormState(of.remove)];
  const [title, label] = [t(of.texts.title), t(of.texts.add)];
  const hint = t(takesGroups ? texts.groupsHint : PEOPLE_HINT);
  const toProps = (state: FormState) => ({
    ...{ state, look: QUIET_BUTTON },
    beside: hasImpact && <ImpactSection action={state.action} />,
  });
  const list = (
    <ul class="gap-x-6 border-y border-rule py-2 sm:columns-2 md:columns-3">
      {people.map((user) => <Member key={user.id} user={user} state={mayRemove ? removing : null} />)}
    </ul>
  );
  return (
    <section aria-labelledby="members-title" class="mb-10">
      <h2 id="members-title" class="mb-3">{title}</h2>
      {people.length === 0 && <p class="mb-5 text-soft">{t(of.texts.empty)}</p>}
      <div id={LIST_ID} class="mb-6 empty:hidden">
        {people.length > 0 && !mayRemove && list}
        {people.length > 0 && mayRemove && (
          <AdminForm {...toProps(removing)} button={t(of.texts.remove)}>
            {list}
            {/* A list on one page has all members to select from. */}
            {last > 1 && (
              <div class="max-w-[40rem]">
                <PeopleField
                  {...{ takesGroups, state: removing, name: OTHERS, label: t("Remove others") }}
                  hint={`${t("For people who are not listed here.")} ${hint}`}
                />
              </div>
            )}
          </AdminForm>
        )}
        {last > 1 && (
          <Pagination
            label={title}
            range={t(of.texts.range, { from: from + 1, to: from + people.length, count })}
            previous={page > 1 ? `${path}?members=${page - 1}` : null}
            next={page < last ? `${path}?members=${page + 1}` : null}
            isEmpty={false}
          />
        )}
      </div>
      {mayAdd && (
        <div class="max-w-[40rem]">
          <AdminForm {...toProps(adding)} button={label}>
            <PeopleField {...{ takesGroups, state: adding, name: of.noun, label, hint }} />
          </AdminForm>
        </div>
      )}
    </section>
  );
}

/** Renders a person, with a checkbox where they can be removed; deactivated accounts stay. */
function Member(
  { user: { id, full_name: name, is_active }, state }: { user: UserRecord; state: FormState | null },
) {
  const { t } = useAdmin();
  return (
    <li class="flex min-w-0 min-h-9 break-inside-avoid items-center gap-2.5">
      {state !== null && (
        <input
          type="checkbox"
          name={SELECTED}
          value={String(id)}
          defaultChecked={state.holds(SELECTED, String(id), [])}
          disabled={!is_active}
          aria-label={t("Select {name}", { name })}
          class="size-5 flex-none accent-ink"
        />
      )}
      <span class="min-w-0 py-1 break-words">
        <PossibleLink path={`/admin/users/${id}`}>
          <bdi>{name}</bdi>
        </PossibleLink>
        {!is_active && <span class="ms-2.5 text-small text-soft">{t("deactivated")}</span>}
      </span>
    </li>
  );
}
