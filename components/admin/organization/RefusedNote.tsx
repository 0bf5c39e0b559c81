import type { RefusedForm } from "@/lib/admin/admin_page.ts";

interface RefusedNoteProps {
  readonly refused: RefusedForm | null;
  /** Whether the form that was refused stands on the page and says so itself. */
  readonly isShown: boolean;
}

/** Why a form was refused that is not on the page: a row's button, or what somebody may no longer change. */
export function RefusedNote({ refused, isShown }: RefusedNoteProps) {
  if (refused === null || isShown) return null;
  return (
    <p role="alert" tabIndex={-1} autofocus class="mb-6 rounded-control bg-wash px-4 py-2.5 text-accent">
      {Object.values(refused.problems).join(" ")}
    </p>
  );
}
