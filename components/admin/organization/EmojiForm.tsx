import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import type { EmojiData } from "@/lib/admin/organization/emoji_page.ts";
import { PRIMARY_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { FieldFrame, getAriaAttributes } from "../FieldFrame.tsx";
import { TextInput } from "../fields.tsx";
import { FormProblem } from "../FormProblem.tsx";
import { formState } from "../form_state.ts";

interface EmojiFormProps {
  readonly refused: RefusedForm | null;
  readonly limits: EmojiData["limits"];
}

/** Renders the form that uploads an emoji: name and image file. */
export function EmojiForm({ refused, limits }: EmojiFormProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = formState(refused, "add");
  return (
    <form method="post" encType="multipart/form-data" noValidate class="grid gap-4" data-guard>
      <input type="hidden" name="action" value="add" />
      <FormProblem problem={state.problem("form")} />
      <div class="grid items-start gap-4 md:grid-cols-2">
        <TextInput
          state={state}
          name="name"
          label={text.emojiName}
          hint={text.emojiNameHint}
          maxLength={limits.name}
          isMono
        />
        <PictureField problem={state.problem("picture")} mib={limits.mib} />
      </div>
      <div>
        <button type="submit" class={PRIMARY_BUTTON}>{text.emojiAdd}</button>
      </div>
    </form>
  );
}

function PictureField({ problem, mib }: { problem: string | undefined; mib: number }) {
  const { messages, formatter } = useAdmin();
  const text = messages.organization;
  const notes = { id: "picture", hint: formatter.t(text.pictureHint, { count: mib }), problem };
  return (
    <FieldFrame {...notes} label={text.picture}>
      <input
        {...getAriaAttributes(notes)}
        type="file"
        name="picture"
        accept="image/png,image/gif,image/jpeg,image/webp"
        autofocus={problem !== undefined}
        class={`${TEXT_FIELD} file:me-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-strong file:text-ink file:underline`}
      />
    </FieldFrame>
  );
}
