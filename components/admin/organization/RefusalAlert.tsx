import type { RefusedForm } from "@/lib/admin/admin_page.ts";

interface RefusalAlertProps {
  readonly refused: RefusedForm | null;
  /** Whether the refused form is on the page and shows its problems itself. */
  readonly isShown: boolean;
}

/** Renders the problems of a refused form that is not on the page, such as a row's button. */
export function RefusalAlert({ refused, isShown }: RefusalAlertProps) {
  if (refused === null || isShown) return null;
  return (
    <p role="alert" tabIndex={-1} autofocus class="mb-6 rounded-control bg-wash px-4 py-2.5 text-accent">
      {Object.values(refused.problems).join(" ")}
    </p>
  );
}
