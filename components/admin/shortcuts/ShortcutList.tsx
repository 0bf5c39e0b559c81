import type { ComponentChildren } from "preact";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { listNavItems } from "../shell/nav_items.ts";
import { Link } from "@/components/Link.tsx";

/** Lists the keyboard shortcuts, and whether single keys are on. */
export function ShortcutList() {
  const admin = useAdmin();
  const { t } = admin;
  return (
    <div class="grid gap-x-12 gap-y-7 sm:grid-cols-2">
      <div>
        <Group title={t("On every page")}>
          <Shortcut name={t("Find anything")}>
            <Key>Ctrl</Key> <Key>K</Key> {t("or")} <Key>⌘</Key> <Key>K</Key>
          </Shortcut>
          <Shortcut name={t("Show keyboard shortcuts")}>
            <Key>?</Key>
          </Shortcut>
          <Shortcut name={t("Close the open dialog")}>
            <Key>Esc</Key>
          </Shortcut>
        </Group>
        <SingleKeys />
      </div>
      <Group title={t("Go to a page")}>
        {listNavItems(admin).map(({ path, name, shortcut }) => (
          <Shortcut
            key={path}
            name={<Link class="link" href={path} data-key={shortcut}>{t(name)}</Link>}
          >
            <Key>g</Key> {t("then")} <Key>{shortcut}</Key>
          </Shortcut>
        ))}
      </Group>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <p class="pb-2 text-small text-soft">{title}</p>
      <dl class="border-t border-rule">{children}</dl>
    </section>
  );
}

function Shortcut({ name, children }: { name: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-b border-rule py-1">
      <dt>{name}</dt>
      <dd class="text-small text-soft">{children}</dd>
    </div>
  );
}

function Key({ children }: { children: ComponentChildren }) {
  return (
    <kbd class="inline-block min-w-6 rounded-small border border-edge px-1.5 text-center font-mono text-tiny leading-relaxed text-ink">
      {children}
    </kbd>
  );
}

/** Renders whether single-key shortcuts are on, and the button that toggles them. */
function SingleKeys() {
  const { t, hasSingleKeys } = useAdmin();
  return (
    <form
      method="post"
      action="/admin/shortcuts"
      class="mt-6 grid justify-items-start gap-3"
    >
      <p class="text-small text-soft">
        {hasSingleKeys
          ? t("Single-key shortcuts are on in this browser.")
          : t("Single-key shortcuts are off in this browser. Shortcuts with Ctrl or Cmd still work.")}
      </p>
      <button
        type="submit"
        name="action"
        value={hasSingleKeys ? "keys_off" : "keys_on"}
        class={QUIET_BUTTON}
      >
        {hasSingleKeys ? t("Turn off single-key shortcuts") : t("Turn on single-key shortcuts")}
      </button>
    </form>
  );
}
