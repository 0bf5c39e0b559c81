import PeopleFields from "@/islands/admin/people/PeopleFields.tsx";
import { translate } from "@/lib/ui/translate.ts";
import { useAdmin } from "../admin_view.ts";

const texts = {
  remove: "Remove {name}",
  noMatch: "No matches",
  matches: { one: "{count} match", other: "{count} matches" },
  hint: "Enter part of a name or email address.",
  groupsHint: "Enter part of the name of a person or group.",
};

/** Renders the island that turns the page's fields for people into searches; once on a page. */
export function PeopleSearch() {
  const { formatter: { language } } = useAdmin();
  return <PeopleFields language={language} messages={translate(language, texts)} />;
}
