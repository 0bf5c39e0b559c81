import type { ComponentChildren } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { LIST_ID } from "@/components/admin/Table.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { Pagination } from "@/components/admin/Pagination.tsx";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import { ImpactSection } from "@/components/admin/permissions/ImpactSection.tsx";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";

/** A form that adds or removes people, with a field that names them. */
interface PeopleForm {
  readonly action: string;
  /** Name of the field. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly button: string;
}

interface MemberSectionProps {
  readonly title: string;
  /** Id of the title. */
  readonly id: string;
  /** Text for no members. */
  readonly empty: string;
  /** The members of this page. */
  readonly people: readonly UserRecord[];
  /** Range and pages of a list that has several; null for one page. */
  readonly pages:
    | { readonly range: string; readonly previous: string | null; readonly next: string | null }
    | null;
  /** Null where the user may not. */
  readonly add: PeopleForm | null;
  readonly remove: PeopleForm | null;
  /** Whether the fields also take groups, as `@name`. */
  readonly takesGroups?: boolean;
  /** Whether the effect of the forms on permissions can be previewed. */
  readonly hasImpact?: boolean;
}

/** Renders people with checkboxes and the form that removes those selected, and the form that adds others. */
export function MemberSection(
  { title, id, empty, people, pages, add, remove, ...options }: MemberSectionProps,
) {
  const state = useFormState({ action: remove?.action ?? "" });
  const list = (
    <ul class="gap-x-6 border-y border-rule py-2 sm:columns-2 md:columns-3">
      {people.map((user) => <Member key={user.id} user={user} state={remove && state} />)}
    </ul>
  );
  return (
    <>
      <h2 id={id} class="mb-3">{title}</h2>
      {people.length === 0 ? <p class="mb-5 text-soft">{empty}</p> : (
        <div id={LIST_ID} class="mb-6">
          {remove === null
            ? list
            : <MemberForm of={remove} hasField={pages !== null} {...options}>{list}</MemberForm>}
          {pages !== null && <Pagination label={title} isEmpty={false} {...pages} />}
        </div>
      )}
      {add !== null && (
        <div class="max-w-[40rem]">
          <MemberForm of={add} hasField {...options} />
        </div>
      )}
    </>
  );
}

interface MemberFormProps extends Pick<MemberSectionProps, "takesGroups" | "hasImpact"> {
  readonly of: PeopleForm;
  /** Whether people can be named; a list on one page has all members to select from. */
  readonly hasField: boolean;
  readonly children?: ComponentChildren;
}

function MemberForm({ of, hasField, takesGroups = false, hasImpact = false, children }: MemberFormProps) {
  const { action, button, ...field } = of;
  const state = useFormState(of);
  return (
    <form method="post" class="grid gap-4" data-guard>
      <input type="hidden" name="action" value={action} />
      <FormProblem problem={state.problem("form")} />
      {children}
      {hasField && (
        <div class="max-w-[40rem]">
          <PeopleField state={state} takesGroups={takesGroups} {...field} />
        </div>
      )}
      <div class="flex flex-wrap gap-x-5 gap-y-2">
        <button type="submit" class={QUIET_BUTTON}>{button}</button>
        {hasImpact && <ImpactSection action={action} />}
      </div>
    </form>
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
          name="member"
          value={String(id)}
          defaultChecked={state.holds("member", String(id), [])}
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
