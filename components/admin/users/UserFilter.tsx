import type { UsersData } from "@/lib/admin/users/users_page.ts";
import type { UserQuery } from "@/lib/admin/users/users_query.ts";
import { useAdmin } from "../admin_view.ts";
import { FilterField, FilterForm, FilterSelect } from "../FilterForm.tsx";

const ROLES = [100, 200, 300, 400, 600] as const;

/** Renders the filter of the list of accounts: text, role and activity. */
export function UserFilter({ data: { query, paths, showsPresence } }: { data: UsersData }) {
  const { messages } = useAdmin();
  const text = messages.users;
  const roles = ROLES.map((role) => [String(role), messages.shell.roles[role]] as const);
  return (
    <FilterForm
      clearPath={paths.unfiltered}
      hidden={toHidden(query)}
      button={messages.common.searchButton}
    >
      <FilterField name="q" label={text.searchLabel} value={query.search} />
      {/* A map, because an object would put its numeric keys before the empty one. */}
      <FilterSelect
        name="role"
        label={text.role}
        value={query.role === null ? "" : String(query.role)}
        choices={new Map([["", text.anyRole], ...roles])}
      />
      {showsPresence && (
        <FilterSelect
          name="activity"
          label={text.activity}
          value={query.activity}
          choices={text.activities}
        />
      )}
    </FilterForm>
  );
}

/** The tab and the order stay as they are. */
function toHidden({ tab, sort, isReversed }: UserQuery): Record<string, string> {
  const order = `${isReversed ? "-" : ""}${sort}`;
  return { ...(tab === "people" ? {} : { tab }), ...(order === "name" ? {} : { sort: order }) };
}
