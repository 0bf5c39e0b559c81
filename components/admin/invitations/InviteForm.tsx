import EmailPills from "@/islands/admin/invitations/EmailPills.tsx";
import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import type { InvitationsData } from "@/lib/admin/invitations/invitations_data.ts";
import { toCheckedAddresses, toListed } from "@/lib/ui/checked_address.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { type FormState, formState } from "../form_state.ts";
import { InvitationFields } from "./InvitationFields.tsx";

interface FormProps {
  readonly data: InvitationsData;
  readonly refused: RefusedForm | null;
}

/** Renders the form that invites email addresses. */
export function InviteForm({ data, refused }: FormProps) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  // The result of a preview belongs to this form, too.
  const mine = refused?.action === "preview" ? { ...refused, action: "invite" } : refused;
  const state = formState(mine, "invite");
  const result = mine?.action === "invite" ? mine.result : undefined;
  const checked = toCheckedAddresses(result?.["addresses"]);
  const sent = Number(result?.["count"] ?? 0);
  const ready = checked.filter(({ problem }) => problem === null).length;
  return (
    <>
      {sent > 0 && <PartlySent count={sent} hasMail={data.hasMail} />}
      <AdminForm
        state={state}
        button={ready > 0 ? formatter.t(text.invite, { count: ready }) : text.inviteNobody}
        beside={
          <button
            type="submit"
            name="action"
            value="preview"
            class={`${QUIET_BUTTON} [@media(scripting:enabled)]:hidden`}
          >
            {text.check}
          </button>
        }
      >
        <AddressBox
          state={state}
          text={sent > 0 ? checked.map(toListed).join("\n") : state.value("emails")}
          checked={checked}
        />
        <InvitationFields state={state} data={data} />
      </AdminForm>
    </>
  );
}

function PartlySent({ count, hasMail }: { count: number; hasMail: boolean }) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const invited = formatter.t(hasMail ? text.invited : text.invitedUnsent, { count });
  return (
    <p role="alert" tabIndex={-1} autofocus class="rounded-control bg-wash px-4 py-2.5">
      <span class="font-medium text-good">{invited}</span> {text.partlyKept}
    </p>
  );
}

interface AddressBoxProps {
  readonly state: FormState;
  readonly text: string;
  readonly checked: ReturnType<typeof toCheckedAddresses>;
}

function AddressBox({ state, text: typed, checked }: AddressBoxProps) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const problem = state.problem("emails");
  return (
    <div class="grid gap-y-1.5">
      <label for="emails" class={FIELD_LABEL}>{text.emails}</label>
      {problem !== undefined && (
        <p id="emails-problem" role="alert" class={`${FIELD_PROBLEM} break-words`}>{problem}</p>
      )}
      <EmailPills
        text={typed}
        first={checked}
        language={formatter.language}
        isRefused={problem !== undefined}
        messages={usePillMessages()}
      />
      <ValidAddresses checked={checked} />
      <p id="emails-hint" class={FIELD_HINT}>{text.emailsHint}</p>
    </div>
  );
}

/** Lists the valid addresses for browsers without JavaScript, which show no pills. */
function ValidAddresses({ checked }: Pick<AddressBoxProps, "checked">) {
  const { messages: { invitations: text } } = useAdmin();
  const ready = checked.filter(({ problem }) => problem === null);
  if (ready.length === 0) return null;
  return (
    <ul
      aria-label={text.understood}
      class="flex max-h-40 flex-wrap gap-1.5 overflow-y-auto text-small [@media(scripting:enabled)]:hidden"
    >
      {ready.map(({ email, name }) => (
        <li key={email} class="max-w-full rounded-small bg-wash px-2 py-0.5 break-all">
          {name !== "" && <bdi class="text-soft">{name}</bdi>} <bdi>{email}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Returns the text of the address box. Islands receive only the text they use. */
function usePillMessages() {
  const { messages: { invitations: text, common } } = useAdmin();
  return {
    addressProblem: text.addressProblem,
    moreProblems: text.moreProblems,
    othersReady: text.othersReady,
    ready: text.ready,
    noneReady: text.noneReady,
    emailsPlaceholder: text.emailsPlaceholder,
    removeAddress: text.removeAddress,
    moreAddresses: text.moreAddresses,
    invite: text.invite,
    inviteNobody: text.inviteNobody,
    chooseFile: text.chooseFile,
    dropHint: text.dropHint,
    fileUnread: text.fileUnread,
    failed: common.failed,
  };
}

/** Renders the form that creates a reusable link. */
export function LinkForm({ data, refused }: FormProps) {
  const { messages: { invitations: text } } = useAdmin();
  const state = formState(refused, "create_link");
  return (
    <AdminForm state={state} button={text.createLink}>
      <InvitationFields state={state} data={data} />
    </AdminForm>
  );
}
