import type { ComponentChildren } from "preact";

interface EmptyStateProps {
  readonly title: string;
  /** Purpose of the list, and the first step. */
  readonly children?: ComponentChildren;
}

/** Renders the placeholder of an empty list. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div data-empty class="flex items-start gap-5 border-y border-rule py-7">
      <span aria-hidden="true" class="ghost size-9 flex-none [border-width:2px]" />
      <div class="min-w-0">
        <p class="font-strong">{title}</p>
        <div class="mt-1 max-w-[58ch] text-soft">{children}</div>
      </div>
    </div>
  );
}
