import { useAdmin } from "./admin_view.ts";
import { AdminHeading } from "./AdminHeading.tsx";
import { type AdminPlace, placesOf } from "./places.ts";

/** The first admin page: the way to all others, and what each is for. */
export function OverviewPage() {
  const { realm, words, speech } = useAdmin();
  const places = placesOf(realm).filter(({ name }) => name !== "overview");
  return (
    <>
      <AdminHeading
        title={words.shell.overviewTitle}
        lede={speech.say(words.shell.overviewLede, { organization: realm.name })}
      />
      <ul class="border-t border-rule">
        {places.map((place) => <PlaceRow key={place.path} {...place} />)}
      </ul>
    </>
  );
}

function PlaceRow({ path, name }: AdminPlace) {
  const { words } = useAdmin();
  const about = name === "overview" ? "" : words.shell.about[name];
  return (
    <li class="grid gap-x-8 border-b border-rule py-3 md:grid-cols-[12rem_minmax(0,1fr)]">
      <a class="link inline-flex min-h-8 items-center justify-self-start font-strong" href={path}>
        {words.shell.places[name]}
      </a>
      <p class="self-center text-soft">{about}</p>
    </li>
  );
}
