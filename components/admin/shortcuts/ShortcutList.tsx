import type { ComponentChildren } from "preact";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { listNavItems } from "../shell/nav_items.ts";
import { Link } from "@/components/Link.tsx";

/** Lists the keyboard shortcuts, and whether single keys are on. */
export function ShortcutList() {
  const admin = useAdmin();
  const { messages } = admin;
  const text = messages.shell.shortcuts;
  return (
    <div class="grid gap-x-12 gap-y-7 sm:grid-cols-2">
      <div>
        <Group title={text.anywhere}>
          <Shortcut name={text.find}>
            <Key>Ctrl</Key> <Key>K</Key> {text.or} <Key>⌘</Key> <Key>K</Key>
          </Shortcut>
          <Shortcut name={text.help}>
            <Key>?</Key>
          </Shortcut>
          <Shortcut name={text.leave}>
            <Key>Esc</Key>
          </Shortcut>
        </Group>
        <SingleKeys />
      </div>
      <Group title={text.goTo}>
        {listNavItems(admin).map(({ path, name, shortcut }) => (
          <Shortcut
            key={path}
            name={<Link class="link" href={path} data-key={shortcut}>{messages.shell.pages[name]}</Link>}
          >
            <Key>g</Key> {text.then} <Key>{shortcut}</Key>
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
  const { messages, hasSingleKeys } = useAdmin();
  const text = messages.shell.shortcuts;
  return (
    <form
      method="post"
      action="/admin/shortcuts"
      class="mt-6 grid justify-items-start gap-3"
    >
      <p class="text-small text-soft">{hasSingleKeys ? text.areOn : text.areOff}</p>
      <button
        type="submit"
        name="action"
        value={hasSingleKeys ? "keys_off" : "keys_on"}
        class={QUIET_BUTTON}
      >
        {hasSingleKeys ? text.turnOff : text.turnOn}
      </button>
    </form>
  );
}
