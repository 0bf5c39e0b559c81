import { DIALOG, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { listNavActions, listNavItems } from "./nav_items.ts";
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
  const { t, hasSingleKeys } = useAdmin();
  return (
    <dialog
      id="shortcuts"
      aria-labelledby="shortcuts-title"
      data-keys={hasSingleKeys ? "on" : "off"}
      class={`${DIALOG} max-w-[46rem]`}
    >
      <div class="mb-5 flex items-start justify-between gap-4">
        <h2 id="shortcuts-title">{t("Keyboard shortcuts")}</h2>
        <form method="dialog">
          <button type="submit" class={QUIET_BUTTON}>{t("Close")}</button>
        </form>
      </div>
      <ShortcutList />
    </dialog>
  );
}

function Palette() {
  const admin = useAdmin();
  const { t, realm, user } = admin;
  const items = listNavItems(admin);
  const title = t(
    items.some(({ isOfServer }) => isOfServer)
      ? "Find pages, people, channels, groups, short links, settings and commands"
      : "Find pages, people, channels, groups, settings and commands",
  );
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
      <ul id="palette-list" role="listbox" aria-label={title} class="mt-3">
        {[
          ...items.map(({ path, name }) => ({ path, name: t(name), about: "" })),
          ...listNavActions(admin),
          { path: "/account", name: t("Your account"), about: "" },
          { path: "/admin/shortcuts", name: t("Keyboard shortcuts"), about: "" },
        ].map(({ path, name, about }, at) => (
          <li
            key={at}
            id={`palette-${at}`}
            role="option"
            aria-selected="false"
            data-path={path}
            class="flex min-h-9 cursor-pointer items-center justify-between gap-4 rounded-control px-3 hover:bg-wash aria-selected:bg-wash forced-colors:aria-selected:outline-2"
          >
            <span>{name}</span>
            <span class="shrink-0 text-small text-soft">{about}</span>
          </li>
        ))}
      </ul>
      <p
        role="status"
        data-nothing={t("No results. Check the spelling, or use fewer words.")}
        class="px-3 pt-1 text-small text-soft empty:hidden"
      />
    </dialog>
  );
}

function SessionEnded({ path }: { path: string }) {
  const { t } = useAdmin();
  return (
    <dialog
      id="session-ended"
      role="alertdialog"
      aria-labelledby="session-ended-title"
      aria-describedby="session-ended-text"
      class={`${DIALOG} max-w-[30rem]`}
    >
      <h2 id="session-ended-title">{t("You are signed out")}</h2>
      <p id="session-ended-text" class="mt-2 text-soft">
        {t(
          "Nothing was changed, and your input is still here. Sign in again in a new tab, then return to this tab and submit the form again.",
        )}
      </p>
      <form method="dialog" class="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2">
        <Link
          class="link inline-flex min-h-11 items-center font-strong"
          href={`/login?next=${encodeURIComponent(path)}`}
          target="_blank"
          rel="noopener"
        >
          {t("Sign in in a new tab")}
        </Link>
        <button type="submit" class={QUIET_BUTTON}>{t("Back to the page")}</button>
      </form>
    </dialog>
  );
}
