import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { AdminAction, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { toCsvDownload } from "../csv.ts";
import type { FormFields } from "../form_fields.ts";
import { listSome } from "./group_names.ts";
import type { HolderChange, PermissionImpact } from "./permission_impact.ts";

/** Effect of a change as pages show it. */
export interface ShownImpact {
  readonly parts: readonly { readonly label: string; readonly sentences: readonly string[] }[];
  /** Sentences about the whole. */
  readonly notes: readonly string[];
}

/** Number of users that are named; further ones are counted. */
const MAX_NAMED = 5;

/** Calculates the effect of the change that a form describes. */
type FindImpact = (request: AdminRequest, fields: FormFields) => Promise<PermissionImpact>;

/** Returns the forms of a page that preview the effect of its other forms and export everyone whom it affects. */
export function impactForms(find: FindImpact): readonly (AdminAction & { readonly action: string })[] {
  return [
    {
      action: "preview",
      run: async (request, fields): Promise<Done> => {
        const impact = toShown(request, await find(request, fields));
        return { flash: "", isDraft: true, result: { impact } };
      },
    },
    { action: "impact_csv", run: async (request, fields) => toFile(request, await find(request, fields)) },
  ];
}

function toShown(request: AdminRequest, { changes, checkedUses }: PermissionImpact): ShownImpact {
  const { messages, formatter } = request;
  const text = messages.permissions.impact;
  return {
    parts: changes.map((change) => {
      const [gain, lose] = change.isMembership ? [text.join, text.leave] : [text.gain, text.lose];
      const toSentence = (phrase: typeof gain, users: readonly UserRecord[]) =>
        users.length === 0 ? [] : [formatter.t(phrase, {
          count: users.length,
          names: listSome(request, users.map(({ full_name }) => full_name), MAX_NAMED),
        })];
      return {
        label: change.label,
        sentences: [...toSentence(gain, change.gained), ...toSentence(lose, change.lost)],
      };
    }),
    notes: [
      ...(changes.length === 0 ? [request.t("Nobody gains or loses a permission.")] : []),
      ...(checkedUses === null ? [] : [
        request.t("The group is used in more places. Only the first {count} are checked.", {
          count: checkedUses,
        }),
      ]),
    ],
  };
}

function toFile({ t, messages }: AdminRequest, { changes }: PermissionImpact): Response {
  const { csv } = messages.permissions.impact;
  const toRows = ({ label }: HolderChange, users: readonly UserRecord[], effect: string) =>
    users.map(({ id, full_name }) => [full_name, String(id), label, effect]);
  return toCsvDownload({
    name: "effect.csv",
    columns: [csv.user, csv.id, t("Permission"), t("Effect")],
    rows: changes.flatMap((change) => [
      ...toRows(change, change.gained, t("gains")),
      ...toRows(change, change.lost, t("loses")),
    ]),
  });
}
