import type { ComponentChildren } from "preact";
import { WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { Link } from "../Link.tsx";
import { useAdmin } from "./admin_view.ts";

/** Lays out the actions of a table row as underlined labels side by side. */
export function ActionLabel({ children }: { children: ComponentChildren }) {
  return (
    <div class="inline-flex flex-wrap items-center justify-end gap-x-4 @min-[54rem]:flex-nowrap @min-[54rem]:whitespace-nowrap @max-[48rem]:justify-start">
      {children}
    </div>
  );
}

interface ActionLinkProps {
  readonly href: string;
  /** Subject of the link, for screen readers. */
  readonly about: string;
  readonly children: ComponentChildren;
}

/** Renders a link to the page of an action. */
export function ActionLink({ href, about, children }: ActionLinkProps) {
  return (
    <Link class="link inline-flex min-h-8 items-center text-small font-medium" href={href}>
      {children}
      <span class="sr-only">
        : <bdi>{about}</bdi>
      </span>
    </Link>
  );
}

interface ActionButtonProps {
  readonly action: string;
  /** Address the form is sent to; the page's own by default. */
  readonly to?: string;
  /** Hidden fields by name. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Full label, for screen readers. */
  readonly label?: string;
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
}

/** Renders a button that performs an action at once. */
export function ActionButton(
  { action, to, fields = {}, label, isDisabled = false, children }: ActionButtonProps,
) {
  return (
    <form method="post" action={to} class="inline" data-action={action}>
      <input type="hidden" name="action" value={action} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button
        type="submit"
        class={`${WORD_BUTTON} min-h-8 disabled:cursor-default disabled:opacity-50`}
        aria-label={label}
        disabled={isDisabled}
      >
        {children}
      </button>
    </form>
  );
}

/** Renders the button of the form `export`, which answers with a file. */
export function ExportButton() {
  return <ActionButton action="export">{useAdmin().t("Export CSV")}</ActionButton>;
}
