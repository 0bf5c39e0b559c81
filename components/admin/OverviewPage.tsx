import { useAdmin } from "./admin_view.ts";
import { AdminHeading } from "./AdminHeading.tsx";
import { listNavItems, type NavItem } from "./shell/nav_items.ts";
import { Link } from "../Link.tsx";

/** Renders the first admin page: links to all others, each with its purpose. */
export function OverviewPage() {
  const { realm, messages, formatter } = useAdmin();
  const places = listNavItems(realm).filter(({ name }) => name !== "overview");
  return (
    <>
      <AdminHeading
        title={messages.shell.overviewTitle}
        lede={formatter.t(messages.shell.overviewLede, { organization: realm.name })}
      />
      <ul class="border-t border-rule">
        {places.map((place) => <PlaceRow key={place.path} {...place} />)}
      </ul>
    </>
  );
}

function PlaceRow({ path, name }: NavItem) {
  const { messages } = useAdmin();
  const about = name === "overview" ? "" : messages.shell.about[name];
  return (
    <li class="grid gap-x-8 border-b border-rule py-3 md:grid-cols-[12rem_minmax(0,1fr)]">
      <Link class="link inline-flex min-h-8 items-center justify-self-start font-strong" href={path}>
        {messages.shell.places[name]}
      </Link>
      <p class="self-center text-soft">{about}</p>
    </li>
  );
}
