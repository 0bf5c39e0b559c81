import type { ComponentChildren } from "preact";
import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import { AdminForm } from "./AdminForm.tsx";
import { AdminHeading, type Crumb } from "./AdminHeading.tsx";
import { CancelLink } from "./CancelLink.tsx";
import { formState } from "./form_state.ts";

interface ConfirmPageProps {
  /** A question that names what it is about. */
  readonly title: string;
  readonly above: readonly Crumb[];
  /** The form's action. */
  readonly action: string;
  /** What happens, as the button says it. */
  readonly button: string;
  readonly refused: RefusedForm | null;
  readonly hidden?: Readonly<Record<string, string>>;
  /** What will be so afterwards, and what is lost. */
  readonly children: ComponentChildren;
}

/** Asks before something is taken away. */
export function ConfirmPage(
  { title, above, action, button, refused, hidden = {}, children }: ConfirmPageProps,
) {
  const back = above.at(-1)?.path ?? "/admin";
  return (
    <>
      <AdminHeading title={title} above={above} />
      <div class="max-w-[58ch]">
        <div class="mb-6 grid gap-2">{children}</div>
        <AdminForm
          state={formState(refused, action)}
          button={button}
          hidden={hidden}
          beside={<CancelLink to={back} />}
        />
      </div>
    </>
  );
}
