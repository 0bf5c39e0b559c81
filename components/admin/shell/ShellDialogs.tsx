import { DIALOG, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { listNavItems, listServerNavItems } from "./nav_items.ts";
import { ShortcutList } from "../shortcuts/ShortcutList.tsx";
import { Link } from "@/components/Link.tsx";

/** Renders the dialogs of every admin page; islands open them, so they stay closed without JavaScript. */
export function ShellDialogs({ path }: { path: string }) {
  return (
    <>
      <Shortcuts />
      <Palette />
      <SessionEnded path={path} />
    </>
  );
}

function Shortcuts() {
  const { messages, hasSingleKeys } = useAdmin();
  const text = messages.shell.shortcuts;
  return (
    <dialog
      id="shortcuts"
      aria-labelledby="shortcuts-title"
      data-keys={hasSingleKeys ? "on" : "off"}
      class={`${DIALOG} max-w-[46rem]`}
    >
      <div class="mb-5 flex items-start justify-between gap-4">
        <h2 id="shortcuts-title">{text.title}</h2>
        <form method="dialog">
          <button type="submit" class={QUIET_BUTTON}>{text.close}</button>
        </form>
      </div>
      <ShortcutList />
    </dialog>
  );
}

function Palette() {
  const admin = useAdmin();
  const { messages, realm, user } = admin;
  const text = messages.shell.palette;
  const title = listServerNavItems(admin).length === 0 ? text.title : text.titleWithLinks;
  return (
    <dialog
      id="palette"
      data-find="/admin/find/records"
      data-recent={`found-${realm.id}-${user.id}`}
      aria-label={title}
      class={`${DIALOG} mt-[12dvh] max-w-[34rem]`}
    >
      <input
        type="text"
        role="combobox"
        aria-label={title}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        placeholder={title}
        autoComplete="off"
        spellcheck={false}
        class={TEXT_FIELD}
      />
      <ul id="palette-list" role="listbox" aria-label={text.title} class="mt-3">
        {usePaletteEntries().map((entry, at) => (
          <PaletteOption
            key={at}
            entry={entry}
            id={`palette-${at}`}
          />
        ))}
      </ul>
      <p role="status" data-nothing={text.nothing} class="px-3 pt-1 text-small text-soft empty:hidden" />
    </dialog>
  );
}

function PaletteOption({ entry, id }: { entry: PaletteEntry; id: string }) {
  return (
    <li
      id={id}
      role="option"
      aria-selected="false"
      data-path={entry.path}
      class="flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-3 hover:bg-wash aria-selected:bg-wash forced-colors:aria-selected:outline-2"
    >
      <span>{entry.name}</span>
      <span class="shrink-0 text-small text-soft">{entry.about}</span>
    </li>
  );
}

interface PaletteEntry {
  readonly path: string;
  readonly name: string;
  /** Name of the page that the action belongs to. */
  readonly about: string;
}

function usePaletteEntries(): readonly PaletteEntry[] {
  const admin = useAdmin();
  const { account, actions, pages, shortcuts } = admin.messages.shell;
  const all = listNavItems(admin);
  return [
    ...all.map(({ path, name }) => ({ path, name: pages[name], about: "" })),
    ...all.flatMap(({ path, name, action, actionPath }) =>
      action === undefined ? [] : [{ path: actionPath ?? path, name: actions[action], about: pages[name] }]
    ),
    { path: "/account", name: account, about: "" },
    { path: "/admin/shortcuts", name: shortcuts.link, about: "" },
  ];
}

function SessionEnded({ path }: { path: string }) {
  const text = useAdmin().messages.shell.sessionEnded;
  return (
    <dialog
      id="session-ended"
      role="alertdialog"
      aria-labelledby="session-ended-title"
      aria-describedby="session-ended-text"
      class={`${DIALOG} max-w-[30rem]`}
    >
      <h2 id="session-ended-title">{text.title}</h2>
      <p id="session-ended-text" class="mt-2 text-soft">{text.text}</p>
      <form method="dialog" class="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2">
        <Link
          class="link inline-flex min-h-11 items-center font-strong"
          href={`/login?next=${encodeURIComponent(path)}`}
          target="_blank"
          rel="noopener"
        >
          {text.signIn}
        </Link>
        <button type="submit" class={QUIET_BUTTON}>{text.close}</button>
      </form>
    </dialog>
  );
}
