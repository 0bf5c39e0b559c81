import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { mapValues } from "es-toolkit/object/mapValues";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { OrganizationIcon } from "@/components/OrganizationIcon.tsx";
import { ThemeButtons } from "@/components/ThemeButtons.tsx";
import { THEME_NAMES } from "@/lib/ui/themes.ts";
import { ROLE_TITLES } from "@/lib/ui/texts.ts";
import { useAdmin } from "../admin_view.ts";
import { listNavItems, type NavItem } from "./nav_items.ts";
import { Link } from "@/components/Link.tsx";

/** Renders the navigation: a column on wide screens, behind a menu button on narrow ones. */
export function AdminNav({ path }: { path: string }) {
  const { t } = useAdmin();
  return (
    <>
      <details class="group lg:hidden">
        <summary class={`${QUIET_BUTTON} absolute end-5 top-3 sm:end-8 list-none group-open:border-ink`}>
          {t("Menu")}
        </summary>
        <RailContent path={path} label={t("Menu")} />
      </details>
      <div class="max-lg:hidden">
        <RailContent path={path} label={t("Administration")} />
      </div>
    </>
  );
}

function RailContent({ path, label }: { path: string; label: string }) {
  const admin = useAdmin();
  const items = listNavItems(admin);
  return (
    <div class="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4 wrap-anywhere lg:gap-3">
      <FindLink />
      <nav aria-label={label} class="grid gap-4 lg:gap-3">
        <NavSection
          title={admin.realm.name}
          icon={admin.realm.icon}
          items={items.filter(({ isOfServer }) => !isOfServer)}
          path={path}
        />
        <NavSection
          title={admin.t("This server")}
          items={items.filter(({ isOfServer }) => isOfServer)}
          path={path}
        />
      </nav>
      <Person />
      <ThemeForm />
    </div>
  );
}

/** Renders the link to the search, which a script opens as a dialog. */
function FindLink() {
  const { t } = useAdmin();
  return (
    <Link
      href="/admin/find"
      data-opens="palette"
      aria-keyshortcuts="Control+K Meta+K"
      class="flex min-h-9 items-center justify-between gap-3 rounded-control border border-edge px-2.5 text-small text-soft no-underline hover:border-ink hover:text-ink"
    >
      {t("Find anything")}
      <kbd aria-hidden="true" class="font-mono text-tiny max-lg:hidden noscript:hidden">Ctrl K</kbd>
    </Link>
  );
}

interface NavSectionProps {
  readonly title: string;
  /** Icon of the organization that the section is about. */
  readonly icon?: RealmRecord["icon"];
  readonly items: readonly NavItem[];
  /** Path of the current page. */
  readonly path: string;
}

function NavSection({ title, icon, items, path }: NavSectionProps) {
  const { t } = useAdmin();
  if (items.length === 0) return null;
  return (
    <div>
      <p class="flex items-center gap-2 px-2.5 pb-1 text-tiny text-soft">
        <OrganizationIcon icon={icon} alt={t("Icon of {name}", { name: title })} size={20} />
        <bdi class="min-w-0">{title}</bdi>
      </p>
      <ul class="grid gap-px">
        {items.map((item) => {
          const isHere = [item.path, ...item.includes ?? []].some((one) => isAt(path, one));
          return (
            <li key={item.path}>
              <Link
                href={item.path}
                aria-current={path === item.path ? "page" : isHere ? "true" : undefined}
                class={`flex min-h-7.5 items-center rounded-control px-2.5 no-underline max-lg:min-h-11 ${
                  isHere
                    ? "bg-wash font-strong text-ink forced-colors:border-2 forced-colors:px-2"
                    : "text-soft hover:text-ink"
                }`}
              >
                {t(item.name)}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function isAt(path: string, page: string): boolean {
  return path === page || (page !== "/admin" && path.startsWith(`${page}/`));
}

function Person() {
  const { user, t } = useAdmin();
  return (
    <div class="px-2.5 text-small">
      <p class="text-soft">
        <bdi>
          {t("{name}, {role}", { name: user.full_name, role: t(ROLE_TITLES[user.role]) })}
        </bdi>
      </p>
      <div class="flex flex-wrap gap-x-4">
        <Link class="link inline-flex min-h-8 items-center" href="/account">{t("Your account")}</Link>
        <form method="post" action="/logout">
          <button type="submit" class="link inline-flex min-h-8 cursor-pointer items-center">
            {t("Sign out")}
          </button>
        </form>
      </div>
      <Link
        class="link inline-flex min-h-8 items-center max-lg:hidden"
        href="/admin/shortcuts"
        data-opens="shortcuts"
      >
        {t("Keyboard shortcuts")}
      </Link>
    </div>
  );
}

function ThemeForm() {
  const { theme, t } = useAdmin();
  return (
    <form method="post" action="/admin/theme" class="px-2.5">
      <fieldset>
        <legend class="text-tiny text-soft">{t("Theme")}</legend>
        <div class="flex flex-wrap gap-x-3">
          <ThemeButtons
            theme={theme}
            names={mapValues(THEME_NAMES, (name) => t(name))}
            class="inline-flex min-h-8 cursor-pointer items-center text-small text-soft aria-pressed:font-strong aria-pressed:text-ink"
          />
        </div>
      </fieldset>
    </form>
  );
}
