import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import { QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { FieldFrame, getAriaAttributes } from "../FieldFrame.tsx";
import { formState } from "../form_state.ts";
import { FormProblem } from "../FormProblem.tsx";

/** Renders a bot's avatar with the form that replaces it. */
export function BotAvatar({ avatar, refused }: { avatar: string; refused: RefusedForm | null }) {
  const { messages } = useAdmin();
  const text = messages.bots;
  const state = formState(refused, "avatar");
  const notes = { id: "avatar", hint: text.avatarHint, problem: state.problem("avatar") };
  return (
    <section aria-labelledby="avatar-title" class="mb-9">
      <h2 id="avatar-title" class="mb-3">{text.avatar}</h2>
      <form method="post" encType="multipart/form-data" noValidate class="flex flex-wrap items-start gap-5">
        <input type="hidden" name="action" value="avatar" />
        <FormProblem problem={state.problem("form")} />
        <img src={avatar} alt="" width={80} height={80} class="size-20 flex-none rounded-panel bg-wash" />
        <div class="grid min-w-0 flex-[1_1_16rem] max-w-[28rem] gap-3">
          <FieldFrame {...notes} label={text.avatarLabel}>
            <input
              {...getAriaAttributes(notes)}
              type="file"
              name="avatar"
              accept="image/png,image/gif,image/jpeg,image/webp"
              class={`${TEXT_FIELD} file:me-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-strong file:text-ink file:underline`}
            />
          </FieldFrame>
          <div>
            <button type="submit" class={QUIET_BUTTON}>{text.avatarSave}</button>
          </div>
        </div>
      </form>
    </section>
  );
}
