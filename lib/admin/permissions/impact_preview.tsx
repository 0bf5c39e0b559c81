import { useAdmin } from "@/components/admin/admin_view.ts";
import { EDIT_FIELD } from "@/components/admin/form_state.ts";
import { toImpactId } from "@/components/admin/permissions/ImpactSection.tsx";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { AdminAction } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { toCsvDownload } from "../csv.ts";
import type { FormFields } from "../form_fields.ts";
import { listSome } from "./group_names.ts";
import type { HolderChange, PermissionImpact } from "./permission_impact.ts";

const texts = {
  gain: { one: "{count} user gains it: {names}.", other: "{count} users gain it: {names}." },
  lose: { one: "{count} user loses it: {names}.", other: "{count} users lose it: {names}." },
  join: { one: "{count} user joins: {names}.", other: "{count} users join: {names}." },
  leave: { one: "{count} user leaves: {names}.", other: "{count} users leave: {names}." },
};

/** Number of users that are named; further ones are counted. */
const MAX_NAMED = 5;

/** Calculates the effect of the change that a form describes. */
type FindImpact = (request: AdminRequest, fields: FormFields) => Promise<PermissionImpact>;

/** Returns the forms of a page that preview the effect of its other forms and export everyone whom it affects. */
export function impactForms(find: FindImpact): readonly AdminAction[] {
  return [
    {
      action: "preview",
      run: async (request, fields) => {
        const impact = await find(request, fields);
        const id = toImpactId(fields.text(EDIT_FIELD), fields.text("section"));
        return { flash: "", draft: <Impact id={id} impact={impact} /> };
      },
    },
    { action: "impact_csv", run: async (request, fields) => toFile(request, await find(request, fields)) },
  ];
}

function Impact({ id, impact: { changes, checkedUses: count } }: { id: string; impact: PermissionImpact }) {
  const { t } = useAdmin();
  const title = t("Effect of this change");
  return (
    <div id={id} aria-live="polite">
      <div
        role="region"
        aria-label={title}
        class="grid gap-2 rounded-control border border-rule bg-raised px-4 py-3"
      >
        <p class="font-strong">{title}</p>
        {changes.map(({ label, isMembership, gained, lost }) => (
          <div key={label}>
            <p class="font-medium">{label}</p>
            <Users phrase={isMembership ? texts.join : texts.gain} users={gained} />
            <Users phrase={isMembership ? texts.leave : texts.lose} users={lost} />
          </div>
        ))}
        {changes.length === 0 && <p class="text-small">{t("Nobody gains or loses a permission.")}</p>}
        {count !== null && (
          <p class="text-small">
            {t("The group is used in more places. Only the first {count} are checked.", { count })}
          </p>
        )}
        {changes.length > 0 && (
          <button
            type="submit"
            name="action"
            value="impact_csv"
            class="link inline-flex min-h-8 cursor-pointer items-center justify-self-start text-small font-medium"
          >
            {t("Download the whole list (CSV)")}
          </button>
        )}
      </div>
    </div>
  );
}

function Users({ phrase, users }: { phrase: typeof texts.gain; users: readonly UserRecord[] }) {
  const admin = useAdmin();
  if (users.length === 0) return null;
  const names = listSome(admin, users.map(({ full_name }) => full_name), MAX_NAMED);
  return <p dir="auto" class="text-small break-words">{admin.t(phrase, { count: users.length, names })}</p>;
}

function toFile({ t }: AdminRequest, { changes }: PermissionImpact): Response {
  const toRows = ({ label }: HolderChange, users: readonly UserRecord[], effect: string) =>
    users.map(({ id, full_name }) => [full_name, String(id), label, effect]);
  return toCsvDownload({
    name: "effect.csv",
    columns: [t("User"), t("User ID"), t("Permission"), t("Effect")],
    rows: changes.flatMap((change) => [
      ...toRows(change, change.gained, t("gains")),
      ...toRows(change, change.lost, t("loses")),
    ]),
  });
}
